package scenario

import (
	"context"
	"slices"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/suggest"
	"example.com/greet/benchmark/internal/view"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// All lists the scenarios in the order in which reports show them.
var All = []Scenario{
	codec,
	family,
	unary,
	open,
	openPoisson,
	openFixed,
	channels,
	serverStream,
	clientStream,
	bidiPingPong,
	bidiFlood,
	idle,
	fixedCost,
	cost,
	interop,
}

// Scenario is one kind of measurement.
type Scenario struct {
	Name  string
	About string // one line, for people
	// Default says that a run without --scenarios measures the scenario.
	Default bool
	// Once says that the scenario is measured in the first round only, because it repeats its
	// measurements itself.
	Once bool
	// OwnClient says that only a Library can make its calls, because the scenario holds or
	// observes them in this process.
	OwnClient bool
	// Peers says that a peer's client can make the calls of its cases: a closed loop, in which
	// nothing is recorded within a call.
	Peers bool
	// Floor says that a run measures it with the floor's driver and the stacks' own clients,
	// unless one of the two is asked for.
	Floor bool
	// Grid says that every client calls every server of its protocol and transport. Such a
	// scenario has a command of its own.
	Grid bool
	// Cases yields what to measure for the stacks given. Who calls is not in them.
	Cases func(stacks []stack.Stack) []result.Case
	// PeerCases, if set, completes a case that names a peer's client and its libraries. That
	// client measures it in its own process, without a server.
	PeerCases func(result.Case) []result.Case
	// Calibrate, if set, measures a stack's closed-loop capacity in calls a second, several times
	// before the first round. The run multiplies the median by the Load of the scenario's cases to
	// get their Rate.
	Calibrate func(ctx context.Context, t Setup) (capacity float64, err error)
	// Lacks, if set, says which of its cases this machine cannot measure, and why: a sentence
	// each. Cases leaves them out.
	Lacks func() []string
	// Measure measures one slice of a case and fills in its part of the line: counts, metrics,
	// histograms, connections opened. Errors of a failing server are in the line. The error
	// returned is load.ErrInterrupted, with a line of what there was, or says why nothing could be
	// measured.
	Measure func(ctx context.Context, s Setup, c result.Case) (result.Line, error)
	// View says how its results are shown. Without one they have a plain table.
	View view.View
}

// Views lists how the results of every scenario are shown. Those that answer a
// question come first.
func Views() []view.View {
	var answering, others []view.View
	for _, s := range All {
		v := s.View
		v.Scenario = s.Name
		if v.Question != nil {
			answering = append(answering, v)
		} else {
			others = append(others, v)
		}
	}
	return append(answering, others...)
}

// Setup is what a slice is measured with. A case that is measured in process has neither server nor
// caller.
type Setup struct {
	calls.Server
	Caller calls.Caller
	// Window is how long a timed slice lasts.
	Window time.Duration
	// Deadline is how long one call may take; 0 means 10 s, or 5 s in an open loop.
	Deadline time.Duration
	// LastSeen is when the previous slice on the same server ended. For the first it is about when
	// one would have.
	LastSeen time.Time
	// Memory reads how many bytes of memory the server holds after it has freed what it can. It is
	// nil if the server is not ours to ask.
	Memory func() (int64, error)
	// Meet is that of the slice's load.Plan; nil where this process measures alone.
	Meet func(context.Context) (time.Time, error)
	// Meter observes the two processes. It is nil where the server is not ours to
	// observe.
	Meter Meter
}

// Where returns the scenarios that are wanted, in the order of All.
func Where(wanted func(Scenario) bool) []Scenario {
	return slices.DeleteFunc(slices.Clone(All), func(s Scenario) bool { return !wanted(s) })
}

// Named returns the scenarios with the given names, in the order of All, or an
// error that says which was probably meant. "all" names every one but grids; no names mean those
// that are measured by default.
func Named(names []string) ([]Scenario, error) {
	all := Where(func(s Scenario) bool { return !s.Grid })
	switch {
	case len(names) == 0:
		return Where(func(s Scenario) bool { return s.Default }), nil
	case slices.Contains(names, "all"):
		return all, nil
	}
	known := Names(all)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, suggest.NotFound("no scenario is named", name, known, "benchmark run --help")
		}
	}
	return Where(func(s Scenario) bool { return slices.Contains(names, s.Name) }), nil
}

// Names lists the scenarios' names.
func Names(scenarios []Scenario) []string {
	names := make([]string, len(scenarios))
	for i, s := range scenarios {
		names[i] = s.Name
	}
	return names
}

// caseOf begins a case of the scenario for a stack.
func caseOf(scenario string, s stack.Stack) result.Case {
	return result.Case{
		Stack:     s.Name.String(),
		Language:  s.Language,
		Libraries: s.Libraries,
		Scenario:  scenario,
	}
}

// callsCase begins a case with the connections that its calls in flight need:
// HTTP/1.1 carries one call at a time on each.
func callsCase(scenario string, s stack.Stack, m greet.Mode, concurrency int) result.Case {
	c := caseOf(scenario, s)
	c.Mode, c.Concurrency, c.Connections = string(m), concurrency, 1
	if s.Name.Transport == stack.H1 {
		c.Connections = concurrency
	}
	return c
}

// ofRPC leaves out the stacks that are no RPC.
func ofRPC(cases func([]stack.Stack) []result.Case) func([]stack.Stack) []result.Case {
	return func(stacks []stack.Stack) []result.Case {
		return cases(slices.DeleteFunc(slices.Clone(stacks), func(s stack.Stack) bool { return !s.Name.RPC() }))
	}
}

// overNetwork keeps stacks without a server of their own out of a scenario that any stack can
// take part in that moves the bytes of calls, be it an RPC library or a rung below.
func overNetwork(cases func([]stack.Stack) []result.Case) func([]stack.Stack) []result.Case {
	return func(stacks []stack.Stack) []result.Case {
		return cases(slices.DeleteFunc(slices.Clone(stacks), func(s stack.Stack) bool {
			return !s.Name.RPC() && s.Name.Transport != stack.TCP
		}))
	}
}

// streamCases yields one case for each stack that carries the mode.
func streamCases(scenario string, m greet.Mode, concurrency int, stacks []stack.Stack, set func(*result.Case)) []result.Case {
	var cases []result.Case
	for _, s := range stacks {
		if s.Carries(m) {
			c := callsCase(scenario, s, m, concurrency)
			set(&c)
			cases = append(cases, c)
		}
	}
	return cases
}
