package connectgo

import (
	"errors"
	"io"
	"syscall"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"

	"example.com/greet/internal/greet"
)

// callError turns an error of connect-go into a *greet.Error.
func callError(err error) *greet.Error {
	failed := &greet.Error{Code: greet.Code(connect.CodeOf(err)), Message: err.Error(), Cause: err}
	// connect-go takes a connection that was reset for a client that went away
	// and says canceled. That is right on a server; a client has lost its server.
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		failed.Code = greet.CodeUnavailable
	}
	rpc, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return failed
	}
	failed.Message = rpc.Message()
	for _, detail := range rpc.Details() {
		// A detail of a type that this program does not know stays in Cause.
		if message, err := connectproto.UnmarshalErrorDetail(detail); err == nil {
			failed.Details = append(failed.Details, message)
		}
	}
	return failed
}

// streamError is callError for the methods that end in io.EOF. It relies on
// connect-go never matching io.EOF when a stream was cut.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return callError(err)
}
