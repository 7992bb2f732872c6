package run

import (
	"context"
	"errors"
	"fmt"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/scenario"
)

// firstCalls is how many first calls may time out: a cold server is slow.
const firstCalls = 3

// CheckTargets makes a call to each server that the run does not start itself. The error has the
// answer of the first that fails. It is ErrInterrupted if ctx ends first.
func (r Run) CheckTargets(ctx context.Context) error {
	for _, t := range r.Plan.Targets {
		if t.Argv != nil || !t.Stack.Name.Remote() {
			continue
		}
		if err := check(ctx, t); err != nil {
			return interrupted(ctx, fmt.Errorf("call target %s at %s: %w", t.Stack.Name, t.Addr, err))
		}
	}
	return nil
}

func check(ctx context.Context, t *plan.Target) error {
	var said error
	for range firstCalls {
		line, err := scenario.Probe(ctx, scenario.Setup{
			Server: calls.Server{Stack: t.Stack, Addr: t.Addr, TLS: t.TLS}, Caller: t.Client,
		})
		switch {
		case errors.Is(err, load.ErrInterrupted):
			return ErrInterrupted
		case err != nil:
			return err
		case line.Calls > 0:
			return nil
		}
		said = errors.New(line.FirstError)
		if line.Errors[ranOut] == 0 {
			return said
		}
	}
	return said
}
