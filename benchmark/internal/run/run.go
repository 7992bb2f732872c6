package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

// ErrInterrupted says that the run was ended from outside. The lines written by
// then are whole.
var ErrInterrupted = errors.New("interrupted")

// Run says what to measure, and where the results go.
type Run struct {
	ID     string // stands on every line
	Plan   plan.Plan
	Rounds int // with a Budget, the least there will be
	// Budget is how long the run may take. If it is set, every case is measured once as a
	// rehearsal, which does not count; its time says how many rounds fit.
	Budget     time.Duration
	MostRounds int           // with a Budget, the most there will be; 0 means no bound
	Window     time.Duration // of a timed slice; 0 means 250 ms
	Deadline   time.Duration // of each call; 0 means that each scenario has its own
	Seed       *uint64       // of the order within the rounds; nil means 0
	Pin        bool          // keep client and servers to CPUs of their own
	Profile    string        // process.CPUProfile, process.HeapProfile, or empty for none
	ProfileDir string        // takes the profiles; absolute
	Command    string        // what to type to make this run again
	Write      func(result.Line) error
	Progress   Progress
	ServerLog  io.Writer // takes what servers log
	Team       *Team     // of the workers that make the run together; nil if there is only this process

	done []result.Line // from the interrupted run; see Resume
}

// defaultWindow is short, since disturbances of a shared machine come and go within minutes and
// must affect all cases alike. It is long enough for the default of five rounds to measure each
// case for more than a second.
const defaultWindow = 250 * time.Millisecond

func (r Run) window() time.Duration { return cmp.Or(r.Window, defaultWindow) }

func (r Run) seed() uint64 { return result.Line{Seed: r.Seed}.OrderSeed() }

// order returns the order of a round's n slices. Each round has its own, so that a disturbance
// affects other cases each time.
func (r Run) order(round, n int) []int {
	return rand.New(rand.NewPCG(r.seed(), uint64(round))).Perm(n)
}

// planned is the plan on every line of the run.
func (r Run) planned() *result.Plan {
	return &result.Plan{
		Rounds:     r.Rounds,
		Lines:      r.Plan.Lines(r.Rounds),
		SliceNS:    r.window().Nanoseconds(),
		DeadlineNS: r.Deadline.Nanoseconds(),
		Cases:      r.Plan.Hash(),
		Skipped:    r.Plan.Skipped,
	}
}

// Do makes the run. It returns ErrInterrupted if ctx ends first, or an error that kept it from
// measuring. Failing servers are no error: the results show them.
func (r Run) Do(ctx context.Context) error {
	begun := time.Now()
	if err := ctx.Err(); err != nil {
		return ErrInterrupted
	}
	cpus, unpin, err := r.pin()
	if err != nil {
		return err
	}
	defer unpin()
	env := environment(ctx, r)
	if err := r.checkDone(env, r.planned()); err != nil {
		return err
	}
	r.Progress.Prepare(fmt.Sprintf("starting %d servers", len(r.Plan.Targets)))
	servers, err := start(ctx, r.Plan.Targets, cpus, r.ServerLog)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer func() {
		// A process that did not end well has its verdicts already, if it matters.
		if stopErr := errors.Join(r.closeCallers(), servers.stop()); stopErr != nil {
			fmt.Fprintln(r.ServerLog, stopErr)
		}
	}()
	u := &underway{Run: r, env: env, servers: servers, hung: make(map[*server]bool)}
	if u.rates, err = r.calibrate(ctx, servers); err != nil {
		return interrupted(ctx, err)
	}
	return interrupted(ctx, u.measureAll(ctx, begun))
}

// closeCallers ends the processes of callers that have any.
func (r Run) closeCallers() error {
	closed := make(map[io.Closer]error)
	for _, e := range r.Plan.Entries {
		if caller, ok := e.Caller.(io.Closer); ok {
			if _, done := closed[caller]; !done {
				closed[caller] = caller.Close()
			}
		}
	}
	return errors.Join(slices.Collect(maps.Values(closed))...)
}

// interrupted returns ErrInterrupted if ctx has ended, else the error.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}

// underway is the state of a run in progress.
type underway struct {
	Run
	env     result.Environment
	servers *servers
	rates   rates
	planned *result.Plan
	clock   clock
	hung    map[*server]bool // that answered nothing in their last slice
	turns   int              // slices that the team has begun
	ended   error            // why the team's run is over
}

// measureAll fixes the number of rounds, if that is still open, and makes them.
func (u *underway) measureAll(ctx context.Context, begun time.Time) error {
	if (u.Budget > 0 || u.Plan.Rehearse) && len(u.done) == 0 {
		if err := u.rehearse(ctx, begun); err != nil {
			return err
		}
	}
	u.planned = u.Run.planned()
	u.clock.left = u.guessRound(1) + time.Duration(u.Rounds-1)*u.guessRound(2)
	there := make(map[slot]bool)
	for _, l := range u.done {
		there[slot{l.Round, plan.KeyOf(l.Case)}] = true
		u.clock.left -= guess(l.Case, u.window())
	}
	at := At{Rounds: u.Rounds, Done: len(u.done), Total: u.planned.Lines}
	for at.Round = 1; at.Round <= u.Rounds; at.Round++ {
		if err := u.round(ctx, &at, there); err != nil {
			return err
		}
	}
	return nil
}

// rehearse measures each case once and drops the results. It warms the servers and shows how long a
// round takes. So a budget fixes the number of rounds before the first one, independent of any
// figure.
func (u *underway) rehearse(ctx context.Context, begun time.Time) error {
	todo := u.Plan.Round(2) // without the cases of the first round only
	at := At{Total: len(todo)}
	u.clock.left = u.guessRound(2)
	rehearsal := time.Now()
	for _, e := range todo {
		at.Left = u.clock.remaining()
		e = u.rates.rated(e)
		u.Progress.Begin(at, e.Case)
		if _, err := u.timed(ctx, e, 0); err != nil {
			return err
		}
		at.Done++
	}
	took := time.Since(rehearsal)
	once := u.guessRound(1) - u.guessRound(2)
	if u.Budget > 0 {
		fit := roundsWithin(u.Budget-time.Since(begun), took, once)
		if u.MostRounds > 0 {
			fit = min(fit, u.MostRounds)
		}
		u.Rounds = max(u.Rounds, fit)
	}
	at.Rounds, at.Left = u.Rounds, time.Duration(u.Rounds)*took+once
	u.Progress.End(at, len(todo), took)
	return nil
}

// round measures one slice of every case that is not there already.
func (u *underway) round(ctx context.Context, at *At, there map[slot]bool) error {
	begun, measured := time.Now(), 0
	todo := u.Plan.Round(at.Round)
	for place, i := range u.order(at.Round, len(todo)) {
		next := u.rates.rated(todo[i])
		if there[slot{at.Round, plan.KeyOf(next.Case)}] {
			continue
		}
		at.Left = u.clock.remaining()
		u.Progress.Begin(*at, next.Case)
		line, err := u.timed(ctx, next, at.Round)
		if err != nil && !errors.Is(err, load.ErrInterrupted) {
			return err
		}
		line.Round, line.Order = at.Round, place+1
		if err := u.write(line); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ErrInterrupted
		}
		if u.ended != nil {
			return u.ended
		}
		at.Done++
		measured++
		u.Progress.Measured(line)
	}
	if measured == 0 && len(todo) > 0 {
		return nil // the round was there already
	}
	at.Left = u.clock.remaining()
	u.Progress.End(*at, measured, time.Since(begun))
	return nil
}

// write writes the line. If the line is invalid, such as by a rate that is no number, its case
// fails and the run goes on.
func (u *underway) write(l result.Line) error {
	err := u.Write(l)
	invalid, ok := errors.AsType[*result.LineError](err)
	if !ok {
		return err
	}
	l.Errors, l.FirstError = map[string]int64{invalidCode: 1}, invalid.Error()
	l.Calls, l.AfterWindow, l.Sent, l.Received = 0, 0, 0, 0
	l.Metrics, l.Histograms, l.Verdicts = []result.Metric{}, nil, nil
	l.Verdicts = result.Judge(&l)
	return u.Write(l)
}

// invalidCode is the error code of a slice with impossible figures.
const invalidCode = "invalid_result"

// slot is one slice of the whole run.
type slot struct {
	round int
	entry plan.Key
}

// timed measures a slice and corrects the clock.
func (u *underway) timed(ctx context.Context, e plan.Entry, round int) (result.Line, error) {
	begun := time.Now()
	line, err := u.measure(ctx, e, round)
	u.clock.measured(guess(e.Case, u.window()), time.Since(begun))
	u.servers.reportExits(u.ServerLog)
	if err != nil && !errors.Is(err, load.ErrInterrupted) {
		err = fmt.Errorf("measure %s of %s: %w", e.Case.Scenario, e.Case.Stack, err)
	}
	return line, err
}
