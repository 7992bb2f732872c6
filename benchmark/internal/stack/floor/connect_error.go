package floor

import (
	"encoding/json"
	"fmt"
	"strconv"

	"example.com/greet/internal/greet"
)

const (
	// connectType is the content of a unary call, with protobuf messages, and
	// connectStreamType that of a stream.
	connectType       = "application/proto"
	connectStreamType = "application/connect+proto"
	// connectEndFlag marks the message that ends a stream.
	connectEndFlag = 2

	connectAgent = "connect-greet-floor"
)

// connectHead is what the header of a Connect response says.
type connectHead struct {
	status      int
	contentType string
	coding      string // content-encoding
}

// connectCodes maps Connect's names of codes to the codes.
var connectCodes = func() map[string]greet.Code {
	codes := make(map[string]greet.Code)
	for code := greet.CodeCanceled; code <= greet.CodeUnauthenticated; code++ {
		codes[code.String()] = code
	}
	return codes
}()

// connectErrorBody is an error as Connect writes it in JSON.
type connectErrorBody struct{ Code, Message string }

// enter writes what the body says into an error. A code that is not known leaves the
// error's own.
func (b connectErrorBody) enter(e *greet.Error) {
	if code, ok := connectCodes[b.Code]; ok {
		e.Code = code
	}
	e.Message = b.Message
}

// connectError returns nil for a response that holds a reply, else how the call
// failed (https://connectrpc.com/docs/protocol#unary-response).
func connectError(h connectHead, body []byte) error {
	switch {
	case h.status != 200:
		return errorOf(h, body)
	case h.contentType != connectType:
		return typeError(h.contentType)
	case h.compressed():
		return &greet.Error{Code: greet.CodeInternal, Message: fmt.Sprintf("the server compressed its answer by %q, which the request did not allow", h.coding)}
	}
	return nil
}

// streamError returns nil if a stream begins.
func (h connectHead) streamError() error {
	switch {
	case h.status != 200:
		return httpError(strconv.Itoa(h.status))
	case h.contentType != connectStreamType:
		return typeError(h.contentType)
	}
	return nil
}

func (h connectHead) compressed() bool { return h.coding != "" && h.coding != "identity" }

// errorOf reads an error. If the body is not one of Connect's, the HTTP status gives
// the code.
func errorOf(h connectHead, body []byte) error {
	e := httpError(strconv.Itoa(h.status))
	var said connectErrorBody
	if h.contentType == "application/json" && json.Unmarshal(body, &said) == nil {
		said.enter(e)
	}
	return e
}

// httpError is the error of a response whose HTTP status is no success.
func httpError(status string) *greet.Error {
	return &greet.Error{Code: httpCode(status), Message: "the server answered with HTTP status " + status}
}

// typeError is the error of a response that is not what was asked for.
func typeError(contentType string) *greet.Error {
	return &greet.Error{Code: greet.CodeUnknown, Message: fmt.Sprintf("the server answered with content of type %q", contentType)}
}
