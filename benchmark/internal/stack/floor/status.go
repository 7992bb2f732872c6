package floor

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

// statusFields returns the fields that say how a call failed. Only the code enters the
// peer's table; texts differ.
func statusFields(err error) []h2.Field {
	e := toError(err)
	fields := []h2.Field{{Name: "grpc-status", Value: strconv.FormatUint(uint64(e.Code), 10)}}
	if e.Message != "" {
		fields = append(fields, h2.Field{Name: "grpc-message", Value: escape(e.Message), Sensitive: true})
	}
	if details := encodeDetails(e); details != "" {
		fields = append(fields, h2.Field{Name: "grpc-status-details-bin", Value: details, Sensitive: true})
	}
	return fields
}

func toError(err error) *greet.Error {
	if e, ok := errors.AsType[*greet.Error](err); ok {
		return e
	}
	return &greet.Error{Code: greet.CodeOf(err), Message: err.Error()}
}

// encodeDetails returns "" if there are no details, or if one cannot be encoded: the
// code and the text go out without them.
func encodeDetails(e *greet.Error) string {
	if len(e.Details) == 0 {
		return ""
	}
	status := &spb.Status{Code: int32(e.Code), Message: e.Message}
	for _, d := range e.Details {
		packed, err := anypb.New(d)
		if err != nil {
			return ""
		}
		status.Details = append(status.Details, packed)
	}
	raw, err := proto.Marshal(status)
	if err != nil {
		return ""
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// parseStatus reads how a call ended from its trailer: nil for OK.
func parseStatus(h *h2.Header) error {
	text := h.Get("grpc-status")
	if text == "0" {
		return nil
	}
	code, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return &greet.Error{Code: greet.CodeUnknown, Message: fmt.Sprintf("the server ended the call with grpc-status %q", text)}
	}
	if code == 0 {
		return nil
	}
	e := &greet.Error{Code: greet.Code(code), Message: unescape(h.Get("grpc-message"))}
	e.Details = decodeDetails(h.Get("grpc-status-details-bin"))
	return e
}

// decodeDetails leaves out details of types that this program does not know.
func decodeDetails(text string) []proto.Message {
	if text == "" {
		return nil
	}
	raw, err := decodeBinary(text)
	if err != nil {
		return nil
	}
	var status spb.Status
	if proto.Unmarshal(raw, &status) != nil {
		return nil
	}
	var details []proto.Message
	for _, packed := range status.GetDetails() {
		if m, err := packed.UnmarshalNew(); err == nil {
			details = append(details, m)
		}
	}
	return details
}

// decodeBinary reads the base64 of a -bin field, which may be padded or not.
func decodeBinary(text string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
}

// escape writes a text in the percent-encoding of grpc-message: what is not
// printable ASCII, and the percent sign.
func escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c >= ' ' && c <= '~' && c != '%' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// unescape keeps what is not well encoded as it is, as the specification asks.
func unescape(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if c, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// httpCode returns the code of a response that is not gRPC, by its HTTP status
// (https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md).
func httpCode(status string) greet.Code {
	switch status {
	case "400":
		return greet.CodeInternal
	case "401":
		return greet.CodeUnauthenticated
	case "403":
		return greet.CodePermissionDenied
	case "404":
		return greet.CodeUnimplemented
	case "429", "502", "503", "504":
		return greet.CodeUnavailable
	}
	return greet.CodeUnknown
}

// endError returns the error of a call whose stream ended without a status
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors). late says
// that the call's deadline has passed: the server's timer may fire and reset the
// stream before the timer here.
func endError(end h2.End, late bool) error {
	e := &greet.Error{Code: greet.CodeInternal, Message: "the server reset the stream: " + end.Code.String()}
	switch {
	case end.By == h2.Lost:
		return &greet.Error{Code: greet.CodeUnavailable, Message: "the connection was lost"}
	case end.By == h2.Refused:
		e.Code, e.Message = greet.CodeUnavailable, "the server refused the stream before it began"
	case end.By == h2.Both:
		e.Message = "the server ended the stream without a status"
	case end.By == h2.Peer && end.Code == h2.Cancel && late:
		e.Code, e.Message = greet.CodeDeadlineExceeded, context.DeadlineExceeded.Error()
	case end.Code == h2.Cancel:
		e.Code = greet.CodeCanceled
	case end.Code == h2.EnhanceYourCalm:
		e.Code = greet.CodeResourceExhausted
	case end.Code == h2.InadequateSecurity:
		e.Code = greet.CodePermissionDenied
	}
	return e
}
