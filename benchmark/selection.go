package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// selection is what to measure and how often; run and plan share it.
type selection struct {
	plan.Selection
	Rounds   *int           `placeholder:"N" help:"Rounds: one slice of every case each. Intervals are claimed from 6 on. Unless given, 5, or 3 of the default scenarios."`
	Slice    *time.Duration `placeholder:"DURATION" help:"How long a timed slice lasts. With 100 to 250 ms a disturbance of the machine affects many cases and not just one. 250ms, unless given."`
	Deadline *time.Duration `placeholder:"DURATION" help:"How long one call may take. 10s, or 5s in an open loop, unless given."`
}

const (
	defaultRounds = 5
	// firstRounds is for users who name no scenario and want to see something soon. The counts of
	// family are fixed, so its cases are long enough with it.
	firstRounds = 3

	publishBudget = time.Hour
	publishRounds = 10 // at least
	publishMost   = 40 // otherwise a small selection would fill the hour
	publishSlice  = 200 * time.Millisecond

	// mostRounds is more than anybody waits for, and keeps sums of times in range.
	mostRounds = 100_000
)

// newRun prepares a run of the selection. It resumes from the lines, if there are any.
func (s selection) newRun(ctx context.Context, done []result.Line) (run.Run, error) {
	if err := s.check(); err != nil {
		return run.Run{}, usageError{err}
	}
	var r run.Run
	if s.Rounds != nil {
		r.Rounds = *s.Rounds
	}
	if s.Slice != nil {
		r.Window = *s.Slice
	}
	if s.Deadline != nil {
		r.Deadline = *s.Deadline
	}
	r, err := r.Resume(done)
	if err != nil {
		return r, err
	}
	s.settle(&r)
	r.Plan, err = s.Plan(ctx, r.Rounds)
	return r, asUsage(err)
}

// asUsage turns a mistake in the selection into a usageError.
func asUsage(err error) error {
	if mistake, ok := errors.AsType[plan.UsageError](err); ok {
		return usageError{mistake}
	}
	return err
}

// check checks each number's range.
func (s selection) check() error {
	return errors.Join(
		within("rounds", s.Rounds, 1, mostRounds),
		within("slice", s.Slice, time.Millisecond, time.Minute),
		within("deadline", s.Deadline, time.Millisecond, 10*time.Minute),
	)
}

// within returns an error if a flag's value is out of its range. A flag that is not given has no
// value.
func within[T int | uint64 | time.Duration](flag string, value *T, least, most T) error {
	if value == nil || *value >= least && *value <= most {
		return nil
	}
	return fmt.Errorf("--%s %v: want %v to %v", flag, *value, least, most)
}

// settle sets what neither the command line nor a resumed run has set.
func (s selection) settle(r *run.Run) {
	if r.Window == 0 && s.Publish {
		r.Window = publishSlice
	}
	switch {
	case r.Rounds > 0:
	case s.Publish:
		r.Rounds, r.MostRounds, r.Budget = publishRounds, publishMost, publishBudget
	case len(s.Scenarios) == 0:
		r.Rounds = firstRounds
	default:
		r.Rounds = defaultRounds
	}
}

// longer says what more rounds would add, and gives the command for them. It is empty if the rounds
// were enough or were asked for.
func (s selection) longer(ctx context.Context, rounds int, command string) (string, error) {
	if s.Rounds != nil || rounds >= result.MinRounds {
		return "", nil
	}
	first := len(s.Scenarios) == 0
	s.Rounds = new(result.MinRounds)
	r, err := s.newRun(ctx, nil)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d rounds would give intervals and tell which stacks differ, in about %s: %s --rounds %[1]d\n",
		result.MinRounds, forPeople(r.Estimate()), command)
	if first {
		text += "other scenarios have latencies under load that is kept up, and more: benchmark run --help lists them\n"
	}
	return text, nil
}
