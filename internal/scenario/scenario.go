package scenario

import (
	"context"
	"crypto/tls"
	"fmt"
	"strings"
	"time"

	"example.com/greet/internal/result"
	"example.com/greet/internal/stack"
)

// All lists the scenarios in the order in which reports show them.
var All = []Scenario{codec, family}

// Scenario is one kind of measurement.
type Scenario struct {
	Name  string
	About string // one line, for people
	// Once says that the scenario is measured in the first round only: it repeats
	// what it measures itself.
	Once bool
	// Cases yields what to measure for the stacks given.
	Cases func(stacks []stack.Stack) []result.Case
	// Calibrate, if it is set, measures a stack's closed-loop capacity in calls a
	// second, once before the first round. The run multiplies it with the Load of
	// the scenario's cases to get their Rate.
	Calibrate func(ctx context.Context, t Target) (capacity float64, err error)
	// Measure measures one slice of a case and fills in what it knows of the line:
	// counts, metrics, histograms, connections opened. A failing server is in the
	// line's errors. The error is load.ErrInterrupted, with a line of what there
	// was, or says why nothing could be measured at all.
	Measure func(ctx context.Context, t Target, c result.Case) (result.Line, error)
}

// Target is the running server that a slice calls. It is zero for a scenario
// that runs in process.
type Target struct {
	Stack stack.Stack
	Addr  string
	TLS   *tls.Config // for the client; used by stacks that run over TLS
	// Window is how long a timed slice lasts.
	Window time.Duration
	// Memory reads how many bytes of memory the server holds now, after it has
	// given back what it can. It is nil where the server is not ours to ask.
	Memory func() (int64, error)
}

// Named returns the scenarios with the given names, in the order of All, or an
// error that lists what there is. No names means all.
func Named(names []string) ([]Scenario, error) {
	if len(names) == 0 {
		return All, nil
	}
	wanted := make(map[string]bool)
	for _, name := range names {
		wanted[name] = true
	}
	var known []string
	var found []Scenario
	for _, s := range All {
		known = append(known, s.Name)
		if wanted[s.Name] {
			found = append(found, s)
			delete(wanted, s.Name)
		}
	}
	for _, name := range names {
		if wanted[name] {
			return nil, fmt.Errorf("no scenario %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return found, nil
}

// caseOf begins a case of the scenario for a stack with its own client.
func caseOf(scenario string, s stack.Stack) result.Case {
	return result.Case{
		Stack:     s.Name.String(),
		Language:  s.Language,
		Libraries: s.Libraries,
		Client:    "own",
		Scenario:  scenario,
	}
}
