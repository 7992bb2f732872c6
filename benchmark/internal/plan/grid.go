package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Grid lists a run in which every client of the selected stacks calls every server with the same
// protocol and transport, in the modes that both carry.
func (s Selection) Grid(ctx context.Context) (Plan, error) {
	c, err := s.Choose(ctx)
	if err != nil {
		return Plan{}, err
	}
	c.Targets = slices.DeleteFunc(c.Targets, func(t *Target) bool { return !t.Stack.Name.RPC() })
	if len(c.Targets) == 0 {
		return Plan{}, UsageError{fmt.Errorf("no RPC library is among the stacks %s", strings.Join(s.Stacks, ", "))}
	}
	c.Skipped = slices.Concat(c.Skipped, missingClients(c.Peers))
	p := c.Grid()
	p.Rehearse = false
	return p, nil
}

// Grid lets every client among the stacks call every server with the same protocol and transport.
func (c Chosen) Grid() Plan {
	b := &builder{chosen: c, keep: func(result.Case) bool { return true }}
	for _, s := range scenario.Where(func(s scenario.Scenario) bool { return s.Grid }) {
		for _, t := range c.Targets {
			if t.Stack.Serve != nil {
				b.group(s, everywhere(t.Stack.Name, scenario.By(clientName(t.Stack.Name), t.Stack)))
			}
		}
		for _, t := range b.peerTargets() {
			b.group(s, everywhere(t.Stack.Name, t.Bench))
		}
	}
	return b.plan()
}

// everywhere picks the client of a stack for every server with the same protocol and transport.
func everywhere(of stack.Name, client calls.Caller) pick {
	return func(t *Target, c *result.Case) calls.Caller {
		if wireOf(t.Stack.Name) != wireOf(of) || client.Refuses(t.Stack, greet.Mode(c.Mode)) != "" {
			return nil
		}
		c.ClientLanguage = client.Language()
		return client
	}
}
