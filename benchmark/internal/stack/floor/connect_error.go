package floor

import (
	"encoding/json"
	"fmt"
	"strconv"

	"example.com/greet/benchmark/internal/stack/floor/h1"
	"example.com/greet/internal/greet"
)

// connectType is the content of a unary call, with protobuf messages.
const connectType = "application/proto"

// connectCodes maps Connect's names of codes to the codes.
var connectCodes = func() map[string]greet.Code {
	codes := make(map[string]greet.Code)
	for code := greet.CodeCanceled; code <= greet.CodeUnauthenticated; code++ {
		codes[code.String()] = code
	}
	return codes
}()

// connectError returns nil for a response that holds a reply, else how the call
// failed (https://connectrpc.com/docs/protocol#unary-response).
func connectError(h *h1.Head, body []byte) error {
	switch {
	case h.Status != 200:
		return errorOf(h, body)
	case h.Type != connectType:
		return &greet.Error{Code: greet.CodeUnknown, Message: fmt.Sprintf("the server answered with content of type %q", h.Type)}
	case h.Coding != "" && h.Coding != "identity":
		return &greet.Error{Code: greet.CodeInternal, Message: fmt.Sprintf("the server compressed its answer by %q, which the request did not allow", h.Coding)}
	}
	return nil
}

// errorOf reads an error. If the body is not one of Connect's, the HTTP status gives
// the code.
func errorOf(h *h1.Head, body []byte) error {
	status := strconv.Itoa(h.Status)
	e := &greet.Error{Code: httpCode(status), Message: "the server answered with HTTP status " + status}
	var said struct{ Code, Message string }
	if h.Type != "application/json" || json.Unmarshal(body, &said) != nil {
		return e
	}
	if code, ok := connectCodes[said.Code]; ok {
		e.Code = code
	}
	e.Message = said.Message
	return e
}
