package scenario

import (
	"context"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/stack"
)

// openFixed measures every stack at the same rate of arrivals, which the slowest of
// them bears with ease: how long its users wait when it has time enough. A share of
// each stack's own capacity, as in open, would ask more of the faster ones.
var openFixed = Scenario{
	Name:  openFixedName,
	About: "Greet at equal intervals, 1,000 a second for every stack: tail latency where all have time enough",
	Cases: ofRPC(openFixedCases),
	Measure: func(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
		t.Window = max(t.Window, openFixedWindow)
		return measureOpen(ctx, t, c, false)
	},
	View: openFixedView,
}

const (
	openFixedName = "open-fixed"
	openFixedRate = 1000
	// openFixedWindow makes ten rounds enough for a p99, which takes 10,000 calls.
	openFixedWindow = time.Second
)

func openFixedCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		c := openCase(openFixedName, s)
		c.Rate = openFixedRate
		cases = append(cases, c)
	}
	return cases
}

var openFixedView = view.View{
	About: "Calls arrive at equal intervals, at one rate for every stack. Latency runs from the moment at which a call should\n" +
		"have been sent.",
	Split:       []view.Field{view.Payload},
	Metrics:     []string{"rate", result.Late, result.Unsent},
	Inputs:      []string{"rate"},
	Connections: true,
}
