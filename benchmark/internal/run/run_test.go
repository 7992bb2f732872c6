package run

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/stack"
)

var two = []string{"a/grpc/h2c", "b/grpc/h2c"}

func runningTwo(t *testing.T) []*plan.Target {
	t.Helper()
	return []*plan.Target{running(t, two[0]), running(t, two[1])}
}

func TestEveryCaseOnceARound(t *testing.T) {
	r, kept := newRun(t, runningTwo(t), perStack("one"), inProcess("codec"))
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	for round, want := range map[int]int{1: 5, 2: 4, 3: 4} { // the codec is measured once
		lines := within(round, kept.lines)
		orders := make([]int, len(lines))
		seen := map[slot]bool{}
		for i, l := range lines {
			orders[i] = l.Order
			seen[slot{l.Round, plan.KeyOf(l.Case)}] = true
		}
		if len(seen) != want || len(lines) != want {
			t.Errorf("round %d: %d lines of %d cases, want %d of as many", round, len(lines), len(seen), want)
		}
		if !slices.IsSorted(orders) || orders[0] != 1 || orders[len(orders)-1] != want {
			t.Errorf("round %d: places %v, want 1 to %d", round, orders, want)
		}
	}
	for _, l := range kept.lines {
		if l.Plan == nil || l.Plan.Lines != len(kept.lines) || l.Plan.Rounds != 3 || l.Run != "r" || l.OrderSeed() != 7 {
			t.Errorf("a line's run is %q, seed %d, plan %+v", l.Run, l.OrderSeed(), l.Plan)
		}
	}
	last := kept.ended[len(kept.ended)-1]
	if want := (At{Round: 3, Rounds: 3, Done: 13, Total: 13, Left: last.Left}); last != want {
		t.Errorf("ended at %+v, want %+v", last, want)
	}
}

func TestOrderComesOfTheSeed(t *testing.T) {
	r := Run{Seed: new(uint64(7))}
	for round := range 10 {
		if diff := cmp.Diff(r.order(round, 50), r.order(round, 50)); diff != "" {
			t.Errorf("the same round twice:\n%s", diff)
		}
		if slices.Equal(r.order(round, 50), r.order(round+1, 50)) {
			t.Errorf("rounds %d and %d have the same order", round, round+1)
		}
		if slices.Equal(r.order(round, 50), Run{Seed: new(uint64(8))}.order(round, 50)) {
			t.Errorf("round %d has the same order with another seed", round)
		}
	}
}

func TestControlIsMeasuredAsIfItWereAnother(t *testing.T) {
	targets := runningTwo(t)
	again := *targets[1]
	again.Replica, again.Addr = plan.Control, "127.0.0.1:2"
	called := map[[2]string]string{}
	s := perStack("one")
	s.Measure = func(_ context.Context, t scenario.Setup, c result.Case) (result.Line, error) {
		called[[2]string{c.Stack, c.Replica}] = t.Addr
		return success(), nil
	}
	r, kept := newRun(t, append(targets, &again), s, inProcess("codec"))
	r.Rounds = 1
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[[2]string]string{{two[0], ""}: "127.0.0.1:1", {two[1], ""}: "127.0.0.1:1", {two[1], plan.Control}: "127.0.0.1:2"}
	if diff := cmp.Diff(want, called); diff != "" {
		t.Errorf("servers called (-want +got):\n%s", diff)
	}
	if len(kept.lines) != 7 {
		t.Errorf("%d lines, want 7: the codec has no control", len(kept.lines))
	}
}

func TestCapacityIsAMedianAndSharedWithTheControl(t *testing.T) {
	targets := runningTwo(t)
	again := *targets[0]
	again.Replica = plan.Control
	r, kept := newRun(t, append(targets, &again), loaded(t, map[string]float64{two[0]: 10_000, two[1]: 20_000}))
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[float64]int{}
	for _, l := range kept.lines {
		got[l.Case.Rate]++
	}
	// Two stacks and a control at 10% and 50%, in three rounds.
	if diff := cmp.Diff(map[float64]int{1000: 6, 5000: 6, 2000: 3, 10_000: 3}, got); diff != "" {
		t.Errorf("slices by rate of arrivals (-want +got):\n%s", diff)
	}
}

func TestInterruptedSliceIsPartial(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	target, pidFile := startable(t, two[0])
	r, kept := newRun(t, []*plan.Target{target}, interruptedBy(cancel, 4))
	if err := r.Do(ctx); !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v, want ErrInterrupted", err)
	}
	for i, l := range kept.lines {
		if partial := slices.Contains(l.Verdicts, result.Partial); partial != (i == 3) {
			t.Errorf("line %d has the verdicts %v", i+1, l.Verdicts)
		}
	}
	if len(kept.lines) != 4 {
		t.Errorf("%d lines, want 4", len(kept.lines))
	}
	if !gone(t, pidFile) {
		t.Error("the server goes on")
	}
	if err := r.Do(ctx); !errors.Is(err, ErrInterrupted) || len(kept.lines) != 4 {
		t.Errorf("with a context that is over: error %v and %d lines", err, len(kept.lines))
	}
}

func TestServersEndWithARunThatFails(t *testing.T) {
	broken := errors.New("broken")
	fails := perStack("one")
	fails.Measure = func(context.Context, scenario.Setup, result.Case) (result.Line, error) { return result.Line{}, broken }
	uncalibrated := loaded(t, nil)
	uncalibrated.Calibrate = func(context.Context, scenario.Setup) (float64, error) { return 0, broken }
	fullDisk := func(result.Line) error { return syscall.ENOSPC }
	for _, test := range []struct {
		name     string
		scenario scenario.Scenario
		write    func(result.Line) error // nil keeps the lines
		want     error
	}{
		{"the scenario", fails, nil, broken},
		{"the calibration", uncalibrated, nil, broken},
		{"the disk", perStack("one"), fullDisk, syscall.ENOSPC},
		{"the limit of file descriptors", without(syscall.EMFILE), nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			target, pidFile := startable(t, two[0])
			r, _ := newRun(t, []*plan.Target{target}, test.scenario)
			if test.write != nil {
				r.Write = test.write
			}
			if err := r.Do(t.Context()); err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if !gone(t, pidFile) {
				t.Error("the server goes on")
			}
		})
	}
}

func TestServersEndWhenAnotherDoesNotStart(t *testing.T) {
	good, pidFile := startable(t, two[0])
	bad := running(t, two[1])
	bad.Argv = []string{"/nonexistent/server"}
	r, kept := newRun(t, []*plan.Target{good, bad}, perStack("one"))
	if err := r.Do(t.Context()); err == nil || !strings.Contains(err.Error(), "start server "+two[1]) {
		t.Errorf("error %v, want one that names the server", err)
	}
	if !gone(t, pidFile) || len(kept.lines) != 0 {
		t.Errorf("the other server ended: %v; lines: %d", gone(t, pidFile), len(kept.lines))
	}
}

func TestLimitsOfTheMachineAreNamed(t *testing.T) {
	for limit, want := range map[error]string{
		syscall.EMFILE:        "`ulimit -n",
		syscall.ENFILE:        "fs.file-max",
		syscall.EADDRNOTAVAIL: "net.ipv4.ip_local_port_range",
	} {
		r, kept := newRun(t, runningTwo(t), without(limit))
		if err := r.Do(t.Context()); err == nil || !strings.Contains(err.Error(), want) || len(kept.lines) != 0 {
			t.Errorf("%v: error %v and %d lines, want %q and no result that blames a server", limit, err, len(kept.lines), want)
		}
	}
	r, kept := newRun(t, runningTwo(t), without(syscall.ECONNREFUSED))
	if err := r.Do(t.Context()); err != nil || len(kept.lines) != 12 {
		t.Errorf("connection refused: error %v and %d lines, want 12: that is the server's", err, len(kept.lines))
	}
}

// TestFiguresThatCannotBeFailTheirCaseAlone has one case of two with a rate that no
// result line may have.
func TestFiguresThatCannotBeFailTheirCaseAlone(t *testing.T) {
	for what, value := range map[string]float64{"no number": math.NaN(), "without end": math.Inf(1)} {
		s := perStack("one")
		s.Measure = func(_ context.Context, _ scenario.Setup, c result.Case) (result.Line, error) {
			line := success()
			if c.Concurrency == 1 {
				line.Metrics[0].Value = value
			}
			return line, nil
		}
		r, kept := newRun(t, runningTwo(t), s)
		if err := r.Do(t.Context()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		failed := 0
		for _, l := range kept.lines {
			if l.Errors[invalidCode] == 1 && result.Disqualified(l.Verdicts) {
				failed++
			}
		}
		if failed != 6 {
			t.Errorf("%s: %d lines failed, want the 6 of one case in three rounds", what, failed)
		}
	}
}

// without is a scenario that fails for want of something.
func without(limit error) scenario.Scenario {
	s := perStack("one")
	s.Measure = func(context.Context, scenario.Setup, result.Case) (result.Line, error) {
		return result.Line{Errors: map[string]int64{"unavailable": 1}, FirstError: "dial tcp: " + limit.Error()}, nil
	}
	return s
}

// loaded is a scenario at 10% and 50% of the stacks' capacities, each of which is
// asked for a few times, and is far off in less than half of them.
func loaded(t *testing.T, capacities map[string]float64) scenario.Scenario {
	t.Helper()
	s := perStack("open")
	closed := s.Cases
	s.Cases = func(stacks []stack.Stack) []result.Case {
		cases := closed(stacks)
		for i := range cases {
			cases[i].Load = map[int]float64{1: 0.1, 2: 0.5}[cases[i].Concurrency]
			cases[i].Concurrency = 64
		}
		return cases
	}
	asked := map[string]int{}
	s.Calibrate = func(_ context.Context, target scenario.Setup) (float64, error) {
		name := target.Stack.Name.String()
		if asked[name]++; asked[name] > calibrationPasses {
			t.Errorf("the capacity of %s was measured %d times", name, asked[name])
		}
		if asked[name]%2 == 0 {
			return 10 * capacities[name], nil // in a moment of luck
		}
		return capacities[name], nil
	}
	return s
}

func TestRehearsalFixesTheRounds(t *testing.T) {
	s := perStack("one")
	calls := 0
	s.Measure = func(context.Context, scenario.Setup, result.Case) (result.Line, error) {
		calls++
		time.Sleep(5 * time.Millisecond) // what a slice takes
		return success(), nil
	}
	for _, test := range []struct {
		budget   time.Duration
		most     int
		low, top int
	}{
		{time.Nanosecond, 0, 2, 2}, // the least that was asked for
		{2 * time.Second, 0, 3, 90},
		{time.Hour, 4, 4, 4},
	} {
		r, kept := newRun(t, runningTwo(t), s)
		r.Rounds, r.Budget, r.MostRounds, calls = 2, test.budget, test.most, 0
		r.Progress = &impatient{recorder: kept, enough: 3}
		ctx, cancel := context.WithCancel(t.Context())
		r.Progress.(*impatient).cancel = cancel
		_ = r.Do(ctx)
		cancel()
		rehearsed := kept.ended[0]
		if rehearsed.Round != 0 || rehearsed.Rounds < test.low || rehearsed.Rounds > test.top {
			t.Errorf("budget %v: rehearsal ended at %+v, want %d to %d rounds", test.budget, rehearsed, test.low, test.top)
		}
		if calls != len(kept.lines)+4 {
			t.Errorf("budget %v: %d slices measured for %d lines, want 4 more", test.budget, calls, len(kept.lines))
		}
	}
}

// TestRehearsalWithoutABudget leaves the rounds at what was asked for.
func TestRehearsalWithoutABudget(t *testing.T) {
	s := perStack("one")
	calls := 0
	s.Measure = func(context.Context, scenario.Setup, result.Case) (result.Line, error) {
		calls++
		return success(), nil
	}
	r, kept := newRun(t, runningTwo(t), s)
	before := r.Estimate()
	r.Plan.Rehearse = true
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(kept.lines) != 3*4 || calls != len(kept.lines)+4 {
		t.Errorf("%d slices measured for %d lines, want 12 and 4 more", calls, len(kept.lines))
	}
	if r.Estimate() <= before {
		t.Errorf("estimated at %v with a rehearsal, %v without", r.Estimate(), before)
	}
}

// impatient ends a run after some rounds.
type impatient struct {
	*recorder
	enough int
	cancel context.CancelFunc
}

func (p *impatient) End(at At, slices int, took time.Duration) {
	p.recorder.End(at, slices, took)
	if at.Round == p.enough {
		p.cancel()
	}
}
