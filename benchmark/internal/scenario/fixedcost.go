package scenario

import (
	"context"
	"runtime"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/stack"
)

// fixedCost measures the cost of one small call at a time, so that nothing waits, up a ladder of
// stacks from bytes over TCP to whole libraries. It is about the steps between the rungs, and so
// the one scenario that also measures stacks that are no RPC.
var fixedCost = Scenario{
	Name:    fixedCostName,
	About:   "Greet of 1 KiB, one in flight, 1,000 calls a round: time and allocations of a call, up a ladder of stacks",
	Peers:   true,
	Floor:   true,
	Cases:   fixedCostCases,
	Measure: measureFixedCost,
	View:    fixedCostView,
}

const (
	fixedCostName = "fixed-cost"
	// fixedCostCalls is how many calls a slice has; 20 rounds make the 20,000 calls of comparable
	// measurements.
	fixedCostCalls = 1000
	// fixedCostWarmup calls come first in each slice, 1,000 in 20 rounds. The servers stay up, so
	// only connections need them.
	fixedCostWarmup = 50
)

func fixedCostCases(stacks []stack.Stack) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		c := unaryCase(fixedCostName, s, 1, 1<<10)
		c.Calls = fixedCostCalls
		if !s.Name.Remote() {
			c.Connections = 0
		}
		cases = append(cases, c)
	}
	return cases
}

func measureFixedCost(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	var before *allocations
	return measurement{
		work:   workOf(c),
		warmup: fixedCostWarmup,
		record: calls.Record{Begin: func() { before = new(s.allocations()) }},
		metrics: func(t load.Tally) []result.Metric {
			return append(fixedCostTimes(t), s.allocations().since(before, t.Calls)...)
		},
	}.of(ctx, s, c)
}

// fixedCostTimes has no rate, because on the lowest rungs it would mostly measure the load engine's
// work between two calls. The median of a slice stands beside the mean: where calls are this short,
// one interrupted call moves the mean far.
func fixedCostTimes(t load.Tally) []result.Metric {
	micros := func(ns float64) float64 { return ns / float64(time.Microsecond) }
	return []result.Metric{
		lower("time_per_call", "µs", micros(t.Latency.Mean())),
		lower("median_call", "µs", micros(float64(t.Latency.ValueAtPercentile(50)))),
	}
}

// allocations counts those in the Go heaps of both processes since they began. The server's are 0
// if it does not tell.
type allocations struct{ client, server uint64 }

func (s Setup) allocations() (a allocations) {
	if s.Meter != nil {
		if now, err := s.Meter.Read(); err == nil {
			a.server = uint64(now.Server.Allocs)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	a.client = m.Mallocs
	return a
}

// since divides the allocations since before by the calls. A stack without a server allocates
// everything in the client. There is no result if the caller, in another process, did not say when
// its window began.
func (a allocations) since(before *allocations, calls int64) []result.Metric {
	if before == nil {
		return nil
	}
	perCall := func(name string, n uint64) result.Metric {
		return lower(name, "allocs/call", float64(n)/float64(calls))
	}
	metrics := []result.Metric{perCall("client_allocations", a.client-before.client)}
	if before.server > 0 && a.server > 0 {
		metrics = append(metrics, perCall("server_allocations", a.server-before.server))
	}
	return metrics
}

var fixedCostView = view.View{
	About: "One small call at a time, up a ladder of stacks: each rung costs what it adds. With own clients, the client's\n" +
		"allocations include those of the load engine; in process (inproc), they include those of both ends.",
	Split:       []view.Field{view.Client, view.Payload},
	Metrics:     []string{"time_per_call", "median_call", "client_allocations", "server_allocations"},
	Connections: true,
	Floor: view.Floor{
		Metric: "median_call",
		Above:  []string{"median_call", "client_allocations", "server_allocations"},
	},
	Variants: true,
	Question: &view.Question{Metric: "median_call", Claim: "takes %s times the time of"},
	Charts: []view.Chart{{
		Name: "fixed-cost", Title: "Where does the time of a small call go?",
		Split: []view.Field{view.Payload}, Metric: "median_call", Label: "median call",
	}},
}
