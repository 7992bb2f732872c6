package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// probeDeadline is long beside any answer and short beside a slice that a hanging
// server holds up.
const probeDeadline = time.Second

// Probe makes one call, to learn whether a server that hung answers again. The
// line has one success, or one error.
func Probe(ctx context.Context, t Target) (result.Line, error) {
	client, err := t.Stack.Dial(t.Addr, stack.DialOptions{TLS: t.TLS, InFlight: 1})
	if err != nil {
		return result.Line{}, fmt.Errorf("dial %s at %s: %w", t.Stack.Name, t.Addr, err)
	}
	limited, cancel := context.WithTimeout(ctx, probeDeadline)
	defer cancel()
	outcome := unaryCall(client, "probe")(limited, 0)
	line := result.Line{Opened: client.Connections()}
	if outcome.Code == "" {
		line.Calls = 1
	} else {
		line.Errors, line.FirstError = map[string]int64{outcome.Code: 1}, outcome.Text
	}
	if ctx.Err() != nil {
		return result.Line{}, errors.Join(load.ErrInterrupted, client.Close())
	}
	return line, client.Close()
}
