package run

import (
	"errors"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

// ErrWhole says that the run is complete and cannot be resumed.
var ErrWhole = errors.New("the run is whole already")

// Resume makes the run continue from the lines of an interrupted one. It takes over that run's id,
// seed, rounds and time of a slice; those that r has set must be the same. Do checks everything
// else before it measures.
func (r Run) Resume(lines []result.Line) (Run, error) {
	if len(lines) == 0 {
		return r, nil
	}
	first := lines[0]
	if first.Plan == nil {
		return r, errors.New("resume: the file does not say what its run set out to measure (plan)")
	}
	if first.Plan.Against != "" {
		return r, errors.New("resume: two versions took turns in that run, which cannot be gone on with")
	}
	window := time.Duration(first.Plan.SliceNS)
	switch {
	case r.Seed != nil && *r.Seed != first.OrderSeed():
		return r, differs("seed", first.OrderSeed(), *r.Seed)
	case r.Rounds != 0 && r.Rounds != first.Plan.Rounds:
		return r, differs("plan.rounds", first.Plan.Rounds, r.Rounds)
	case r.Window != 0 && r.Window != window:
		return r, differs("plan.slice_ns", first.Plan.SliceNS, r.Window.Nanoseconds())
	case len(lines) >= first.Plan.Lines:
		return r, fmt.Errorf("resume run %s: %w", first.Run, ErrWhole)
	}
	r.ID, r.Seed, r.Rounds, r.Window = first.Run, new(first.OrderSeed()), first.Plan.Rounds, window
	r.done = lines
	return r, nil
}

// CheckPlan returns an error unless the line is one of a run with the plan of r.
func (r Run) CheckPlan(l result.Line) error {
	switch planned := r.planned(); {
	case l.Plan == nil:
		return errors.New("it does not say what its run set out to measure (plan)")
	case l.Plan.Cases != planned.Cases:
		return differs("plan.cases", l.Plan.Cases, planned.Cases)
	case l.Plan.DeadlineNS != planned.DeadlineNS:
		return differs("plan.deadline_ns", l.Plan.DeadlineNS, planned.DeadlineNS)
	}
	return nil
}

// checkDone compares every line that the run continues from with what the run would itself have
// written.
func (r Run) checkDone(env result.Environment, planned *result.Plan) error {
	entries := r.Plan.ByKey()
	for i := range r.done {
		if err := r.checkLine(&r.done[i], env, planned, entries); err != nil {
			return fmt.Errorf("%w: measure anew, without --resume", err)
		}
	}
	// This check is last, because a missing case says more.
	for _, l := range r.done {
		if l.Plan.Cases != planned.Cases {
			return fmt.Errorf("resume: plan.cases was %s, of %d slices, and is %s, of %d: measure anew, without --resume",
				l.Plan.Cases, l.Plan.Lines, planned.Cases, planned.Lines)
		}
	}
	return nil
}

func (r Run) checkLine(l *result.Line, env result.Environment, planned *result.Plan, entries map[plan.Key]plan.Entry) error {
	e, ok := entries[plan.KeyOf(l.Case)]
	switch {
	case l.Run != r.ID:
		return differs("run", l.Run, r.ID)
	case l.OrderSeed() != r.seed():
		return differs("seed", l.OrderSeed(), r.seed())
	case l.Plan == nil || l.Plan.Rounds != planned.Rounds:
		return differs("plan.rounds", l.Plan, planned)
	case l.Plan.SliceNS != planned.SliceNS:
		return differs("plan.slice_ns", l.Plan.SliceNS, planned.SliceNS)
	case l.Plan.DeadlineNS != planned.DeadlineNS:
		return differs("plan.deadline_ns", l.Plan.DeadlineNS, planned.DeadlineNS)
	case !ok, l.Round > r.Rounds, l.Round > 1 && e.Scenario.Once:
		return fmt.Errorf("resume: case %s was measured in round %d, and is not to be now", l.Case.Key(), l.Round)
	case fmt.Sprint(e.Case.Libraries) != fmt.Sprint(l.Case.Libraries):
		return differs("case.libraries", l.Case.Libraries, e.Case.Libraries)
	}
	if err := result.SameEnvironment(l.Environment, env); err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}

func differs(field string, was, is any) error {
	return fmt.Errorf("resume: %s was %v and is %v", field, was, is)
}

// knownRates returns the rates of arrivals in the lines, so that the rest of the run has the same.
func knownRates(lines []result.Line) map[string]float64 {
	known := make(map[string]float64)
	for _, l := range lines {
		if l.Case.Load > 0 {
			known[plan.Unrated(l.Case)] = l.Case.Rate
		}
	}
	return known
}
