package scenario

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/stack"
)

// open measures calls that arrive at times of their own, as those of many users do, at fractions of
// the capacity of a closed loop. Latency runs from the intended time of a call, so that a server
// that stalls is charged for every call that had to wait. Service time stands beside it and runs
// from when the call really began.
var open = Scenario{
	Name:      openName,
	About:     "Greet at equal intervals, at 10, 30, 50, 70 and 90% of the closed-loop capacity; at most 64 calls in flight",
	Cases:     ofRPC(openCases(openName)),
	Calibrate: capacity,
	Measure: func(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
		return measureOpen(ctx, t, c, false)
	},
	View: openView,
}

// openPoisson is open with the bursts and gaps that independent users make.
var openPoisson = Scenario{
	Name:      openName + "-poisson",
	About:     "the same with Poisson arrivals: independent of each other",
	Cases:     ofRPC(openCases(openName + "-poisson")),
	Calibrate: capacity,
	Measure: func(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
		return measureOpen(ctx, t, c, true)
	},
	View: openPoissonView,
}

const (
	openName = "open"
	// openBound is the most calls in flight at once. One HTTP/2 or HTTP/3 connection to a server
	// here carries up to 100. Later arrivals wait for their turn while their latency runs, so the
	// bound does not flatter a slow server.
	openBound = 64
	// lateDeadline bounds one call of an open loop, and the time after its window in which a
	// backlog is still served.
	lateDeadline = 5 * time.Second
	// capacityWindow is how long the capacity is measured at a time.
	capacityWindow = 250 * time.Millisecond
)

func openCases(name string) func([]stack.Stack) []result.Case {
	return func(stacks []stack.Stack) []result.Case {
		var cases []result.Case
		for _, s := range stacks {
			for _, load := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
				c := openCase(name, s)
				c.Load = load
				cases = append(cases, c)
			}
		}
		return cases
	}
}

func openCase(name string, s stack.Stack) result.Case {
	c := unaryCase(name, s, openBound, small)
	if s.Name.Transport == stack.H1 {
		c.Connections = 0 // as many as calls happen to be in flight, up to the bound
	}
	return c
}

// capacity measures the stack's calls a second in a closed loop with as many in flight as the open
// loop may have. It is 0 if no call succeeds.
func capacity(ctx context.Context, t Setup) (float64, error) {
	t.Window = capacityWindow
	line, err := measureUnary(ctx, t, unaryCase(openName, t.Stack, openBound, small))
	return float64(line.Calls) / capacityWindow.Seconds(), err
}

var errNoRate = errors.New("measure open loop: the case has no rate of arrivals")

func measureOpen(ctx context.Context, s Setup, c result.Case, poisson bool) (result.Line, error) {
	if c.Rate <= 0 {
		return result.Line{}, errNoRate
	}
	return measurement{
		work: workOf(c), warmup: warmupCalls(c), poisson: poisson, seed: rand.Uint64(), metrics: openMetrics, service: true,
	}.of(ctx, s, c)
}

func openMetrics(t load.Tally) []result.Metric {
	return []result.Metric{
		callRate(t),
		lower(result.Late, "fraction", float64(t.Late)/float64(t.Calls)),
		lower(result.Unsent, "calls", float64(t.Unsent)),
	}
}

var openView = openLoopView("Calls arrive at equal intervals, at a rate that does not wait for the server: a share of what the closed\n"+
	"loop achieves. Latency runs from the moment at which a call should have been sent, so that a stall counts in full;\n"+
	"service time runs from when it was sent.",
	knee(openName, "p50", "Median latency under load"),
	knee(openName, "p99", "p99 latency under load: where is the knee?"),
	view.Chart{
		Name: "open-latency", Title: "Latency at a tenth of the capacity, from when calls should have been sent",
		Where: atOneTenth, Split: []view.Field{view.Payload}, Histogram: "latency", Label: "latency",
	}.OverPercentiles(),
	view.Chart{
		Name: "open-service", Title: "Service time at a tenth of the capacity, from when calls were sent",
		Where: atOneTenth, Split: []view.Field{view.Payload}, Histogram: "service", Label: "service time",
	}.OverPercentiles(),
)

var openPoissonView = openLoopView("The same with arrivals that know nothing of each other, as those of many users.",
	knee("open-poisson", "p50", "Median latency under load that comes in bursts"),
	knee("open-poisson", "p99", "p99 latency under load that comes in bursts"),
)

// openLoopView shows a row for each share of the capacity, with its percentiles.
func openLoopView(about string, charts ...view.Chart) view.View {
	return view.View{
		About:       about,
		Split:       []view.Field{view.Payload},
		Rows:        []view.Field{view.Load},
		Metrics:     []string{"rate", result.Late, result.Unsent},
		Inputs:      []string{"rate"},
		Connections: true,
		Charts:      charts,
	}
}

// knee returns the chart that shows how much load a server bears before calls wait for each other.
func knee(name, percentile, title string) view.Chart {
	return view.Chart{
		Name: name + "-" + percentile, Title: title, Split: []view.Field{view.Payload},
		Over: view.Load, Axis: "arrivals, as a share of the closed loop's capacity",
		Histogram: "latency", Percentile: percentile, Label: "latency from the intended send time, " + percentile,
	}
}

// atOneTenth chooses a load so low that calls hardly wait for each other.
func atOneTenth(c result.Case) bool { return c.Load == 0.1 }
