package connectv1

import (
	"errors"
	"io"
	"syscall"

	"connectrpc.com/connect"

	"example.com/greet/internal/greet"
)

// toConnect turns the *greet.Error of a handler into the library's error, with its details. Errors
// that a receive or a send returned pass unchanged.
func toConnect(err error) error {
	e, ok := errors.AsType[*greet.Error](err)
	if !ok {
		return err
	}
	out := connect.NewError(connect.Code(e.Code), errors.New(e.Message))
	for _, m := range e.Details {
		// A detail that cannot be encoded is left out: the code and the text
		// matter more to the client.
		if d, err := connect.NewErrorDetail(m); err == nil {
			out.AddDetail(d)
		}
	}
	return out
}

// fromConnect turns the library's error into a *greet.Error that has it as its cause; nil stays
// nil. It leaves out details of unknown types, which the cause still has.
func fromConnect(err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return &greet.Error{Code: greet.CodeUnknown, Message: err.Error(), Cause: err}
	}
	out := &greet.Error{Code: greet.Code(e.Code()), Message: e.Message(), Cause: err}
	// connect reports a connection that was reset as "canceled", as if the client had gone. But
	// this is a client, which has lost its server.
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		out.Code = greet.CodeUnavailable
	}
	for _, d := range e.Details() {
		if m, err := d.Value(); err == nil {
			out.Details = append(out.Details, m)
		}
	}
	return out
}

// orEOF keeps io.EOF, with which the library says that a stream has ended, and converts other
// errors.
func orEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return fromConnect(err)
}
