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

// callError turns an error of connect-go into a *greet.Error. What the server said
// stays as it came; what this end made of a broken transport is put into the words
// of gRPC.
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

// correct gives an error that arose at this end the code and text that say what
// happened.
func correct(failed *greet.Error, err error) {
	undecided := failed.Code == greet.CodeUnknown || failed.Code == greet.CodeInternal
	switch {
	// connect-go takes a connection that was reset for a client that went away
	// and says canceled. That is right on a server; a client has lost its server.
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		failed.Code = greet.CodeUnavailable
	// It knows what a peer means that resets a stream of HTTP/2, but not of HTTP/3
	// (RFC 9114, section 8.1).
	case undecided && resetH3(err, http3.ErrCodeRequestCanceled):
		failed.Code = greet.CodeCanceled
	case failed.Code == greet.CodeUnavailable && resetH3(err, http3.ErrCodeInternalError):
		failed.Code = greet.CodeInternal
	// It takes a server that goes away in mid-stream for one that breaks the rules.
	case undecided && lostServer(err):
		failed.Code = greet.CodeUnavailable
		failed.Message = strings.TrimPrefix(failed.Message, "protocol error: ")
	// Of a call that has run out of time it gives the text of whatever broke first,
	// such as a pipe between two of its goroutines.
	case failed.Code == greet.CodeDeadlineExceeded && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrDeadlineExceeded):
		failed.Message = context.DeadlineExceeded.Error()
	}
}

// lostServer reports whether err is about a response that ended before it was
// complete because the connection did.
func lostServer(err error) bool {
	if _, ok := errors.AsType[*httpdial.LostError](err); ok {
		return true
	}
	if errors.Is(err, net.ErrClosed) {
		return true // also how quic-go tells of a peer that has gone
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
