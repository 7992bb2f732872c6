package scenario

import (
	"context"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// unary measures calls in a closed loop: the case says how many are in flight, and each is followed
// at once by the next.
var unary = Scenario{
	Name:    unaryName,
	About:   "Greet in a closed loop, timed: 1, 4, 16 and 64 calls in flight; 16 B, 1 KiB and 16 KiB",
	Peers:   true,
	Cases:   overNetwork(unaryCases),
	Measure: measureUnary,
	View:    unaryView,
}

const unaryName = "unary"

// small is the payload of cases about calls rather than bytes.
const small = 16

func unaryCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		for _, payload := range []int{small, 1 << 10, 16 << 10} {
			for _, concurrency := range []int{1, 4, 16, 64} {
				cases = append(cases, unaryCase(unaryName, s, concurrency, payload))
			}
		}
	}
	return cases
}

func unaryCase(scenario string, s stack.Stack, concurrency, payload int) result.Case {
	c := callsCase(scenario, s, greet.Unary, concurrency)
	c.Payload, c.Messages = payload, 1
	return c
}

func measureUnary(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	return measurement{work: workOf(c), warmup: warmupCalls(c), metrics: rateAlone}.of(ctx, s, c)
}

// warmupCalls is enough to open every connection and to fill its pools and header tables, and takes
// some hundredths of a second.
func warmupCalls(c result.Case) int { return max(100, 5*c.Concurrency) }

var unaryView = view.View{
	About:       "Calls kept in flight for a time; each call is made as soon as one before it is done.",
	Split:       []view.Field{view.Payload},
	Across:      []view.Field{view.Concurrency},
	Connections: true,
	SpeedUp:     true,
	Question:    &view.Question{Metric: "rate", Claim: "serves %s times the calls of", Prefer: manySmallCalls},
	Charts: []view.Chart{
		view.Chart{
			Name: "unary-rate", Title: "Throughput by concurrency", Split: []view.Field{view.Payload}, Metric: "rate", Label: "throughput",
		}.OverConcurrency(),
		view.Chart{
			Name: "unary-latency", Title: "Latency by percentile", Where: func(c result.Case) bool { return c.Payload == small },
			Split: []view.Field{view.Payload, view.Concurrency}, Histogram: "latency", Label: "latency",
		}.OverPercentiles(),
		{
			Name: "unary-floor", Title: "How much of a call is the framework?", Where: view.OneSmallCall,
			Split: []view.Field{view.Payload}, Metric: "rate", Label: "time for a call", Floor: true,
		},
	},
}

// manySmallCalls chooses the case that ranks stacks: the server always has something to do, and the
// work is calls rather than bytes.
func manySmallCalls(c result.Case) bool {
	return c.Mode == string(greet.Unary) && c.Payload == small && c.Concurrency == 64
}
