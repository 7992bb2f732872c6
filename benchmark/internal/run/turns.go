package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
)

const (
	// slicePatience is how long a side may take for a slice in addition to its window and
	// deadline, and for starting its servers.
	slicePatience = 3 * time.Minute
	// sidePatience is how long a side may take to stop its servers and end.
	sidePatience = 20 * time.Second
)

// Side is one of two versions of this program. For its slices, its own process makes the calls and
// starts the servers.
type Side struct {
	Name    string // for messages
	Program string // an executable file that runs AnswerSlices for the argument SlicesCommand
	Dir     string // where it runs; empty for this process's directory
	Write   func(result.Line) error
}

// SlicesCommand is the argument with which a version of this program answers requests
// for slices.
const SlicesCommand = "slices"

// TakeTurns makes the run with two versions of this program that take turns: each round measures a
// slice of every case with both, one right after the other, in a random order. Both start anew for
// each round, with all their servers. A process keeps some properties from its start, such as the
// place of its memory; with one pair of processes they would look like a difference between the
// versions.
//
// Each line goes to the Write of its side and names the other one (plan.against); the Write of the
// run itself is not used. TakeTurns returns ErrInterrupted if ctx ends first.
func (r Run) TakeTurns(ctx context.Context, sides [2]Side) (err error) {
	t := turns{Run: r, sides: [2]*side{{Side: sides[0]}, {Side: sides[1]}}}
	r.Progress.Prepare("starting both versions")
	if err := t.open(true); err != nil {
		return errors.Join(err, t.close())
	}
	t.clock.left = time.Duration(t.Rounds) * t.guessTurns()
	at := At{Rounds: t.Rounds, Total: t.Rounds * len(t.cases) * len(t.sides)}
	for at.Round = 1; at.Round <= t.Rounds && err == nil; at.Round++ {
		err = t.round(ctx, &at)
	}
	return errors.Join(err, t.close())
}

// turns is the state of a run with two sides.
type turns struct {
	Run
	sides [2]*side
	cases []result.Case // that both sides have
	clock clock
}

// side is a version while its process runs.
type side struct {
	Side
	process *process.Client
	opened  opened
	against string // names the other side
}

// guessTurns returns about how long a round takes.
func (t *turns) guessTurns() (took time.Duration) {
	const starting = 400 * time.Millisecond // both sides
	for _, c := range t.cases {
		took += 2 * guess(c, t.window())
	}
	return took + starting
}

// open starts both sides. The first time it finds out which cases both have. If cases have a load,
// the first side measures the capacities, and both get their rates from it.
func (t *turns) open(first bool) error {
	for i, s := range t.sides {
		if err := s.open(t.opening(first && i == 0), t.ServerLog); err != nil {
			return err
		}
	}
	if !first {
		return nil
	}
	this, that := t.sides[0], t.sides[1]
	if err := result.ComparableAcross(that.example(), this.example()); err != nil {
		return err
	}
	this.against, that.against = that.opened.Environment.Version(), this.opened.Environment.Version()
	known := make(map[plan.Key]bool)
	for _, c := range that.opened.Cases {
		known[plan.KeyOf(c)] = true
	}
	planned := t.Plan.ByKey()
	for _, c := range this.opened.Cases {
		if _, wanted := planned[plan.KeyOf(c)]; !wanted {
			continue
		}
		if !known[plan.KeyOf(c)] {
			fmt.Fprintf(t.ServerLog, "skipped: %s does not have the case %s\n", that.Name, plan.Words(c))
			continue
		}
		t.cases = append(t.cases, c)
	}
	if len(t.cases) == 0 {
		return fmt.Errorf("take turns with %s: it has none of the cases", that.Name)
	}
	return nil
}

// opening returns the request that both sides prepare for.
func (t *turns) opening(calibrate bool) opening {
	o := opening{
		Version: slicesVersion, SliceNS: t.window().Nanoseconds(), DeadlineNS: t.Deadline.Nanoseconds(), Pin: t.Pin, Calibrate: calibrate,
	}
	for _, e := range t.Plan.Entries {
		o.Scenarios = append(o.Scenarios, e.Scenario.Name)
		if e.Target != nil {
			o.Stacks = append(o.Stacks, e.Target.Stack.Name.String())
		}
		if e.Caller != nil {
			o.Client = append(o.Client, e.Caller.Name())
		}
	}
	for _, list := range []*[]string{&o.Scenarios, &o.Stacks, &o.Client} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return o
}

// open starts the side's process, which starts its servers.
func (s *side) open(o opening, log io.Writer) error {
	started, err := process.StartClient(process.Command{Name: s.Name, Argv: []string{s.Program, SlicesCommand}, Dir: s.Dir, Log: log})
	if err != nil {
		return err
	}
	s.process, s.opened = started, opened{}
	// The context is left out: a side that finishes its slice also stops its servers.
	err = s.process.Ask(context.Background(), o, &s.opened, slicePatience)
	switch {
	case err != nil:
		return fmt.Errorf("%s must be a version of this program that measures slices by order (benchmark %s): %w", s.Name, SlicesCommand, err)
	case s.opened.Error != "":
		return fmt.Errorf("prepare %s: %s", s.Name, s.opened.Error)
	case s.opened.Version != slicesVersion:
		return fmt.Errorf("prepare %s: it measures slices by version %d of the protocol, and this program by version %d", s.Name, s.opened.Version, slicesVersion)
	}
	return nil
}

// example returns a line of the side with only what all its lines share.
func (s *side) example() *result.Line {
	return &result.Line{Schema: s.opened.Schema, Method: s.opened.Method, Environment: s.opened.Environment}
}

// round measures a slice of every case with both sides.
func (t *turns) round(ctx context.Context, at *At) error {
	begun := time.Now()
	if at.Round > 1 {
		if err := errors.Join(t.close(), t.open(false)); err != nil {
			return err
		}
	}
	draw := rand.New(rand.NewPCG(t.seed(), uint64(at.Round)))
	place := 0
	for _, i := range draw.Perm(len(t.cases)) {
		for _, turn := range draw.Perm(len(t.sides)) {
			place++
			if ctx.Err() != nil {
				return ErrInterrupted
			}
			at.Left = t.clock.remaining()
			t.Progress.Begin(*at, t.cases[i])
			if err := t.slice(t.sides[turn], sliceRequest{at.Round, t.cases[i]}, place); err != nil {
				return err
			}
			at.Done++
		}
	}
	t.clock.measured(t.guessTurns(), time.Since(begun))
	at.Left = t.clock.remaining()
	t.Progress.End(*at, place, time.Since(begun))
	return nil
}

// slice lets the side measure one slice, and completes its line.
func (t *turns) slice(s *side, asked sliceRequest, place int) error {
	var got sliceAnswer
	if err := s.process.Ask(context.Background(), asked, &got, slicePatience+t.window()+2*t.Deadline); err != nil {
		return fmt.Errorf("have %s measure %s: %w", s.Name, plan.Words(asked.Case), err)
	}
	if got.Error != "" {
		return fmt.Errorf("have %s measure %s: %s", s.Name, plan.Words(asked.Case), got.Error)
	}
	line := got.Line
	line.Run, line.Seed, line.Round, line.Order, line.Plan = t.ID, new(t.seed()), asked.Round, place, t.planned(s)
	line.Environment.Command = t.Command
	if err := s.Write(line); err != nil {
		return err
	}
	if s == t.sides[0] {
		t.Progress.Measured(line)
	}
	return nil
}

// planned is the plan on every line of the side.
func (t *turns) planned(of *side) *result.Plan {
	planned := t.Run.planned()
	planned.Against, planned.Lines = of.against, t.Rounds*len(t.cases)
	return planned
}

// close ends both processes.
func (t *turns) close() error {
	var errs []error
	for _, s := range t.sides {
		if s.process != nil {
			errs = append(errs, s.process.Stop(sidePatience))
			s.process = nil
		}
	}
	return errors.Join(errs...)
}
