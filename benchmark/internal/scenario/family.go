package scenario

import (
	"context"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// family measures the same fixed counts as the demos of this service in other languages, so that
// their tables and ours have the same columns. Its windows are well under a second on fast stacks.
var family = Scenario{
	Name:    familyName,
	About:   "2,000 unary calls at concurrency 1, 4, 16, 64; 200 of 2 MiB at 8; one chat of 5,000 messages of 1 KiB",
	Default: true,
	Peers:   true,
	Cases:   overNetwork(familyCases),
	Measure: measureFamily,
	View:    familyView,
}

const familyName = "family"

func familyCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		for _, concurrency := range []int{1, 4, 16, 64} {
			cases = append(cases, familyUnary(s, concurrency, 2000, 16))
		}
		cases = append(cases, familyUnary(s, 8, 200, 2<<20))
		if s.Carries(greet.Bidi) {
			cases = append(cases, familyChat(s))
		}
	}
	return cases
}

func familyUnary(s stack.Stack, concurrency, calls, payload int) result.Case {
	c := unaryCase(familyName, s, concurrency, payload)
	c.Calls = calls
	return c
}

func familyChat(s stack.Stack) result.Case {
	c := caseOf(familyName, s)
	c.Mode = string(greet.Bidi)
	c.Concurrency, c.Connections, c.Calls, c.Payload, c.Messages = 1, 1, 1, 1024, 5000
	return c
}

func measureFamily(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	return measurement{
		work:    workOf(c),
		warmup:  max(c.Calls/10, min(c.Concurrency, c.Calls)),
		metrics: func(t load.Tally) []result.Metric { return familyMetrics(t, c) },
	}.of(ctx, s, c)
}

// familyMetrics are the figures of the sibling demos.
func familyMetrics(t load.Tally, c result.Case) []result.Metric {
	if c.Mode == string(greet.Bidi) {
		return []result.Metric{perSecond("message_rate", "msg/s", float64(t.Received), t.Window)}
	}
	metrics := []result.Metric{perSecond("rate", "req/s", float64(t.Calls), t.Window)}
	if c.Payload >= 1<<20 {
		megabytes := float64(t.Calls) * float64(c.Payload) / 1e6
		metrics = append(metrics, perSecond("throughput", "MB/s", megabytes, t.Window))
	}
	return metrics
}

var familyView = view.View{
	About:        "The fixed counts of the sibling demos in other languages.",
	Split:        []view.Field{view.Mode, view.Payload, view.Messages},
	Across:       []view.Field{view.Concurrency},
	Connections:  true,
	SpeedUp:      true,
	ShortWindows: true,
	Question:     &view.Question{Metric: "rate", Claim: "serves %s times the calls of", Prefer: manySmallCalls},
	Charts: []view.Chart{
		view.Chart{
			Name: "family-rate", Title: "Throughput by concurrency", Where: view.InMode("unary"),
			Split: []view.Field{view.Payload}, Metric: "rate", Label: "throughput",
		}.OverConcurrency(),
		{
			Name: "family-large", Title: "Throughput with large messages", Where: view.InMode("unary"),
			Split: []view.Field{view.Payload}, Metric: "throughput", Label: "throughput, one direction",
		},
		{
			Name: "family-bidi", Title: "Messages on one bidirectional stream", Where: view.InMode("bidi"),
			Split: []view.Field{view.Payload}, Metric: "message_rate", Label: "messages",
		},
		{
			Name: "family-floor", Title: "How much of a call is the framework?", Where: view.OneSmallCall,
			Split: []view.Field{view.Payload}, Metric: "rate", Label: "time for a call", Floor: true,
		},
	},
}
