package connectgo

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	httpdial "example.com/greet/internal/dial"
	"example.com/greet/internal/greet"
)

// callError turns an error of connect-go into a *greet.Error. An error from the server stays as it
// came; one about a broken transport gets gRPC's words.
func callError(err error) *greet.Error {
	failed := &greet.Error{Code: greet.Code(connect.CodeOf(err)), Message: err.Error(), Cause: err}
	rpc, ok := errors.AsType[*connect.Error](err)
	if ok {
		failed.Message = rpc.Message()
	}
	if !ok || !rpc.IsRemote() {
		correct(failed, err)
		return failed
	}
	for _, detail := range rpc.Details() {
		// A detail of a type that this program does not know stays in Cause.
		if message, err := connectproto.UnmarshalErrorDetail(detail); err == nil {
			failed.Details = append(failed.Details, message)
		}
	}
	return failed
}

// correct gives an error that arose at this end the right code and text.
func correct(failed *greet.Error, err error) {
	undecided := failed.Code == greet.CodeUnknown || failed.Code == greet.CodeInternal
	switch {
	// connect-go takes a connection that was reset for a client that went away
	// and says canceled. That is right on a server; a client has lost its server.
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		failed.Code = greet.CodeUnavailable
	// connect-go understands a reset stream of HTTP/2, but not one of HTTP/3 (RFC 9114, section
	// 8.1).
	case undecided && resetH3(err, http3.ErrCodeRequestCanceled):
		failed.Code = greet.CodeCanceled
	case failed.Code == greet.CodeUnavailable && resetH3(err, http3.ErrCodeInternalError):
		failed.Code = greet.CodeInternal
	// connect-go reports a server that goes away in mid-stream as one that breaks the protocol.
	case undecided && lostServer(err):
		failed.Code = greet.CodeUnavailable
		failed.Message = strings.TrimPrefix(failed.Message, "protocol error: ")
	// For a call that ran out of time, connect-go reports whatever broke first, such as a pipe
	// between two of its goroutines.
	case failed.Code == greet.CodeDeadlineExceeded && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrDeadlineExceeded):
		failed.Message = context.DeadlineExceeded.Error()
	}
}

// lostServer reports whether err says that the connection ended in the middle of a response.
func lostServer(err error) bool {
	if _, ok := errors.AsType[*httpdial.LostError](err); ok {
		return true
	}
	if errors.Is(err, net.ErrClosed) {
		return true // quic-go's error for a peer that has gone, too
	}
	if closed, ok := errors.AsType[*http3.Error](err); ok {
		return closed.ErrorCode == http3.ErrCodeNoError
	}
	// net/http does not export these.
	text := err.Error()
	return strings.Contains(text, "http2: server sent GOAWAY") || strings.Contains(text, "http2: client connection lost")
}

// resetH3 reports whether err is about a stream that was reset with the code.
func resetH3(err error, code http3.ErrCode) bool {
	failed, ok := errors.AsType[*http3.Error](err)
	_, closed := errors.AsType[*quic.ApplicationError](err) // the whole connection
	return ok && !closed && failed.ErrorCode == code
}

// streamError is callError for the methods that end in io.EOF. It relies on
// connect-go never matching io.EOF when a stream was cut.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return callError(err)
}
