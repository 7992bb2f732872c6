package scenario

import (
	"context"
	"errors"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
)

// probeDeadline is much longer than any answer takes, and much shorter than a slice against a
// server that hangs.
const probeDeadline = time.Second

// Probe makes one call to find out whether a server that hung answers again. The line has one
// success or one error.
func Probe(ctx context.Context, t Setup) (result.Line, error) {
	clients, err := t.dial(1, 1)
	if err != nil {
		return result.Line{}, err
	}
	limited, cancel := context.WithTimeout(ctx, probeDeadline)
	defer cancel()
	outcome := unaryCall(clients[0], "probe")(limited, 0)
	line := result.Line{Opened: clients.Connections()}
	if outcome.Code == "" {
		line.Calls = 1
	} else {
		line.Errors, line.FirstError = map[string]int64{outcome.Code: 1}, outcome.Text
	}
	if ctx.Err() != nil {
		return result.Line{}, errors.Join(load.ErrInterrupted, clients.Close())
	}
	return line, clients.Close()
}
