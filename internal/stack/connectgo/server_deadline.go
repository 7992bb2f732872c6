package connectgo

import (
	"context"
	"errors"
	"os"

	"connectrpc.com/connect/v2"

	"example.com/greet/internal/listen"
)

// punctual ends a call at its caller's deadline. connect-go ends the context then,
// which does not wake a handler that waits for its client's next message.
func punctual(next connect.ServerFunc) connect.ServerFunc {
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
		if errors.Is(err, os.ErrDeadlineExceeded) { // of a read, whatever else it says
			return context.DeadlineExceeded
		}
		return err
	}
}
