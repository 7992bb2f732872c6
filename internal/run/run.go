package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"example.com/greet/internal/load"
	"example.com/greet/internal/result"
	"example.com/greet/internal/scenario"
	"example.com/greet/internal/stack"
)

// ErrInterrupted says that the run was ended from outside. The lines written by
// then are whole.
var ErrInterrupted = errors.New("interrupted")

// Run is what to measure, and where the results go.
type Run struct {
	ID        string // stands on every line
	Targets   []Target
	Scenarios []scenario.Scenario
	Rounds    int
	Window    time.Duration // of a timed slice; 0 means 250 ms
	Seed      uint64        // of the order within the rounds
	Command   string        // what to type to make this run again
	Write     func(result.Line) error
	Progress  Progress
	ServerLog io.Writer // takes what servers log
}

// defaultWindow is short, for what disturbs a shared machine comes and goes within
// minutes and must fall on all cases alike, and long enough that the default of
// five rounds measures each case for more than a second.
const defaultWindow = 250 * time.Millisecond

// Progress is told how the run goes on. Its methods are called one at a time.
type Progress interface {
	// Begin says that the slice numbered done+1 of total in the round begins.
	Begin(round, done, total int, c result.Case)
	// End says that the round has ended.
	End(round, total int, took time.Duration)
}

// slice is one case and how to measure it.
type slice struct {
	scenario scenario.Scenario
	kase     result.Case
}

// Do makes the run. It returns ErrInterrupted when ctx ends first, else what kept
// it from measuring. Failing servers are no error: they are in the results.
func (r Run) Do(ctx context.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return ErrInterrupted
	}
	servers, err := start(ctx, r.Targets, r.ServerLog)
	if err != nil {
		return err
	}
	defer func() {
		// A server that did not end well has its verdicts already, if it matters.
		if stopErr := servers.stop(); stopErr != nil {
			fmt.Fprintln(r.ServerLog, stopErr)
		}
	}()
	env := environment(ctx, r.Command)
	rates, err := r.calibrate(ctx, servers)
	if err != nil {
		return err
	}
	for round := 1; round <= r.Rounds; round++ {
		if err := r.round(ctx, round, servers, rates, env); err != nil {
			return err
		}
	}
	return nil
}

// Plan lists the cases of a round: the first, or a later one.
func (r Run) Plan(round int) []result.Case {
	var cases []result.Case
	for _, s := range r.slices(round) {
		cases = append(cases, s.kase)
	}
	return cases
}

func (r Run) slices(round int) []slice {
	var stacks []stack.Stack
	for _, t := range r.Targets {
		stacks = append(stacks, t.Stack)
	}
	var slices []slice
	for _, s := range r.Scenarios {
		if s.Once && round > 1 {
			continue
		}
		for _, c := range s.Cases(stacks) {
			slices = append(slices, slice{s, c})
		}
	}
	return slices
}

// round measures one slice of every case, in an order of the round's own: what
// disturbs the machine for a while then falls on other cases each time.
func (r Run) round(ctx context.Context, round int, servers *servers, rates capacities, env result.Environment) error {
	begun := time.Now()
	todo := r.slices(round)
	order := rand.New(rand.NewPCG(r.Seed, uint64(round))).Perm(len(todo))
	for done, i := range order {
		next := rates.rated(todo[i])
		r.Progress.Begin(round, done, len(todo), next.kase)
		line, err := r.measure(ctx, next, servers.byStack[next.kase.Stack])
		if err != nil && !errors.Is(err, load.ErrInterrupted) {
			return fmt.Errorf("measure %s of %s: %w", next.kase.Scenario, next.kase.Stack, err)
		}
		line.Run, line.Round, line.Order, line.Seed, line.Environment = r.ID, round, done+1, r.Seed, env
		if err := r.Write(line); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ErrInterrupted
		}
	}
	r.Progress.End(round, len(todo), time.Since(begun))
	return nil
}

// measure measures one slice and completes its line.
func (r Run) measure(ctx context.Context, s slice, srv *server) (result.Line, error) {
	runtime.GC() // what the slice before left is not this one's to clean up
	before, started := read(srv), time.Now()
	line, err := s.scenario.Measure(ctx, r.target(srv), s.kase)
	enter(&line, before, read(srv))
	line.Schema, line.Started, line.Case = result.SchemaVersion, started, s.kase
	if errors.Is(err, load.ErrInterrupted) {
		line.Verdicts = []result.Verdict{result.Partial}
	}
	line.Verdicts = result.Judge(&line)
	line.Metrics = slices.Concat([]result.Metric{}, line.Metrics) // never null
	return line, err
}
