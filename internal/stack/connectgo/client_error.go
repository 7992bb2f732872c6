package connectgo

import (
	"errors"
	"io"
	"syscall"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"
	"github.com/quic-go/quic-go/http3"

	"example.com/greet/internal/greet"
)

// callError turns an error of connect-go into a *greet.Error.
func callError(err error) *greet.Error {
	failed := &greet.Error{Code: greet.Code(connect.CodeOf(err)), Message: err.Error(), Cause: err}
	switch {
	// connect-go takes a connection that was reset for a client that went away
	// and says canceled. That is right on a server; a client has lost its server.
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		failed.Code = greet.CodeUnavailable
	// It knows what a peer means that resets a stream of HTTP/2, but not of HTTP/3
	// (RFC 9114, section 8.1).
	case (failed.Code == greet.CodeUnknown || failed.Code == greet.CodeInternal) && canceledH3(err):
		failed.Code = greet.CodeCanceled
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

func canceledH3(err error) bool {
	reset, ok := errors.AsType[*http3.Error](err)
	return ok && reset.ErrorCode == http3.ErrCodeRequestCanceled
}

// streamError is callError for the methods that end in io.EOF. It relies on
// connect-go never matching io.EOF when a stream was cut.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return callError(err)
}
