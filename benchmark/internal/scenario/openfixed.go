package scenario

import (
	"context"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/stack"
)

// openFixed measures every stack at the same rate of arrivals, which the slowest bears with ease.
// It shows how long users wait when there is time enough. A share of each stack's own capacity, as
// in open, would load the faster ones more.
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
	// openFixedWindow lets ten rounds have the 10,000 calls that a p99 takes.
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
