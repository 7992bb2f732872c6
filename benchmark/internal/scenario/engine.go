package scenario

import (
	"context"
	"fmt"
	"slices"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Engine is a client that makes the unary calls of stacks that are not its own, so
// that servers can be compared without the price of their clients.
type Engine struct {
	Name string // as a case's Client has it
	// Refuses says why it cannot call a stack, or is empty.
	Refuses func(stack.Name) string
	// Dial makes a driver that greets name over so many connections to a server of
	// the stack at addr.
	Dial func(s stack.Name, addr, name string, connections int) (EngineDriver, error)
}

// EngineDriver is one slice's connections to one server.
type EngineDriver interface {
	load.Driver
	// Connections is how many were opened so far.
	Connections() int64
	// Close ends them. Nothing may be driven.
	Close() error
}

// By is the scenario with the engine in the place of each stack's own client. It has
// the unary cases of those stacks that the engine can call, and none if it is not
// about such calls.
func By(e Engine, s Scenario) Scenario {
	own := s
	s.Cases = func(stacks []stack.Stack) []result.Case {
		if !own.Engines {
			return nil
		}
		cases := own.Cases(slices.DeleteFunc(slices.Clone(stacks), func(s stack.Stack) bool { return e.Refuses(s.Name) != "" }))
		cases = slices.DeleteFunc(cases, func(c result.Case) bool { return c.Mode != string(greet.Unary) })
		for i := range cases {
			cases[i].Client = e.Name
		}
		return cases
	}
	s.Measure = func(ctx context.Context, t Target, c result.Case) (result.Line, error) {
		t.Engine = &e
		return own.Measure(ctx, t, c)
	}
	if own.Calibrate != nil {
		s.Calibrate = func(ctx context.Context, t Target) (float64, error) {
			t.Engine = &e
			return own.Calibrate(ctx, t)
		}
	}
	return s
}

// Skips says what By leaves out, a sentence each: the whole scenario, or stacks.
func (e Engine) Skips(s Scenario, stacks []stack.Stack) []string {
	if !s.Engines {
		return []string{fmt.Sprintf("%s: the %s client makes unary calls alone", s.Name, e.Name)}
	}
	var skipped []string
	for _, one := range stacks {
		if why := e.Refuses(one.Name); why != "" {
			skipped = append(skipped, fmt.Sprintf("%s with the %s client: %s", one.Name, e.Name, why))
		}
	}
	return skipped
}
