package greet

import (
	"errors"
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
)

// Code is a status code as gRPC numbers and names them; Connect and gRPC-Web
// use the same ones (https://grpc.io/docs/guides/status-codes,
// https://connectrpc.com/docs/protocol#error-codes).
type Code uint32

// The codes. OK is what a call without an error ends with.
const (
	OK Code = iota
	CodeCanceled
	CodeUnknown
	CodeInvalidArgument
	CodeDeadlineExceeded
	CodeNotFound
	CodeAlreadyExists
	CodePermissionDenied
	CodeResourceExhausted
	CodeFailedPrecondition
	CodeAborted
	CodeOutOfRange
	CodeUnimplemented
	CodeInternal
	CodeUnavailable
	CodeDataLoss
	CodeUnauthenticated
)

var codeNames = [...]string{
	"ok", "canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found",
	"already_exists", "permission_denied", "resource_exhausted", "failed_precondition",
	"aborted", "out_of_range", "unimplemented", "internal", "unavailable", "data_loss",
	"unauthenticated",
}

// String is the code's name in lower snake case, as Connect writes it on the wire.
func (c Code) String() string {
	if c < Code(len(codeNames)) {
		return codeNames[c]
	}
	return fmt.Sprintf("code_%d", uint32(c))
}

// Error is how a call fails, in the terms that all protocols share. Servers
// return it from a handler, where an adapter turns it into its library's error;
// clients get it back from every call that fails.
type Error struct {
	Code    Code
	Message string
	Details []proto.Message // what a program needs to react; may be empty
	Cause   error           // what the client's library returned; nil on a server
}

// Error is "<code>: <message>".
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code.String()
	}
	return e.Code.String() + ": " + e.Message
}

// Unwrap returns the library's own error, if there is one.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf returns OK for nil, the code of the *Error in err's chain, or CodeUnknown.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeUnknown
}

func invalidField(field, text string) *Error {
	violation := &errdetails.BadRequest_FieldViolation{Field: field, Description: text}
	return &Error{
		Code:    CodeInvalidArgument,
		Message: text,
		Details: []proto.Message{&errdetails.BadRequest{
			FieldViolations: []*errdetails.BadRequest_FieldViolation{violation},
		}},
	}
}
