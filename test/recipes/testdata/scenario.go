package scenario

import (
	"context"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

var fresh = Scenario{
	Name:  "fresh",
	About: "Greet with names of 100 B, 2 calls in flight",
	Cases: ofRPC(func(stacks []stack.Stack) (cases []result.Case) {
		for _, s := range stacks {
			c := callsCase("fresh", s, greet.Unary, 2)
			c.Payload, c.Messages = 100, 1
			cases = append(cases, c)
		}
		return cases
	}),
	Measure: func(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
		return measurement{work: workOf(c), warmup: 10, metrics: rateAlone}.of(ctx, s, c)
	},
	View: view.View{
		About: "Names of 100 bytes are greeted.",
		Split: []view.Field{view.Payload},
		Charts: []view.Chart{{
			Name: "fresh-rate", Title: "Greetings of 100 bytes", Split: []view.Field{view.Payload}, Metric: "rate", Label: "calls",
		}},
	},
}
