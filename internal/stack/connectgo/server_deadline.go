package connectgo

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"strings"

	"connectrpc.com/connect/v2"

	"example.com/greet/internal/listen"
)

// endAtDeadline ends a call at its caller's deadline. connect-go only ends the context then, which
// does not wake a handler that waits for its client's next message.
func endAtDeadline(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
		deadline, ok := ctx.Deadline()
		if !ok {
			return next(ctx, spec, stream)
		}
		if ctx.Err() != nil { // a timeout of 0
			return ctx.Err()
		}
		if err := listen.EndAt(ctx, deadline); err != nil {
			return connect.NewError(connect.CodeInternal, "cannot limit this call").WithCause(err)
		}
		err := next(ctx, spec, stream)
		if errors.Is(err, os.ErrDeadlineExceeded) { // the read reached the deadline
			return context.DeadlineExceeded
		}
		return err
	}
}

// blameClient reports a broken request as the client's fault where connect-go says "unknown": a
// message in a URL that is not base64, and a body whose chunks break the rules of HTTP/1.1.
func blameClient(next connect.ServerFunc) connect.ServerFunc {
	return func(ctx context.Context, spec connect.Spec, stream connect.ServerStream) error {
		err := next(ctx, spec, stream)
		if _, ok := errors.AsType[base64.CorruptInputError](err); ok || isBrokenChunk(err) {
			return connect.NewError(connect.CodeInvalidArgument, "the request is broken: "+err.Error()).WithCause(err)
		}
		return err
	}
}

// isBrokenChunk reports whether err is net/http's error for a malformed chunk of a request.
func isBrokenChunk(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	return strings.Contains(text, "malformed chunked encoding") || strings.Contains(text, "invalid byte in chunk length")
}
