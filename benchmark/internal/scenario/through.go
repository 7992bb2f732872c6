package scenario

import (
	"context"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// Through is the scenario with one client for every stack of a protocol and
// transport, so that their servers can be compared. Clients returns the stack whose
// client that is.
func Through(clients func(stack.Name) (stack.Stack, error), s Scenario) Scenario {
	own := s
	s.Cases = func(stacks []stack.Stack) []result.Case {
		var cases []result.Case
		for _, one := range stacks {
			if client, err := clients(one.Name); err == nil {
				one.Client = client.Name.Library
				cases = append(cases, own.Cases([]stack.Stack{one})...)
			}
		}
		return cases
	}
	s.Measure = func(ctx context.Context, t Target, c result.Case) (result.Line, error) {
		client, err := clients(t.Stack.Name)
		if err != nil {
			return result.Line{}, err
		}
		t.Stack.Dial = client.Dial
		return own.Measure(ctx, t, c)
	}
	return s
}
