package run

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

// whole is a run of two stacks under load with all its lines.
func whole(t *testing.T) (Run, []result.Line) {
	t.Helper()
	r, kept := newRun(t, runningTwo(t), loaded(t, map[string]float64{two[0]: 10_000, two[1]: 20_000}), inProcess("codec"))
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, kept.lines
}

func TestResumedRunMeasuresExactlyTheRest(t *testing.T) {
	_, want := whole(t)
	// 1 is the codec or one of the four cases under load; 4 leaves a part of round 1,
	// 5 leaves rounds 2 and 3, and 12 leaves one slice.
	for _, there := range []int{1, 4, 5, 12} {
		r, kept := newRun(t, runningTwo(t), loaded(t, map[string]float64{two[0]: 11_111, two[1]: 22_222}), inProcess("codec"))
		r.ID, r.Seed, r.Rounds = "", nil, 0 // the lines know
		r, err := r.Resume(want[:there])
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		rest := want[there:]
		if diff := cmp.Diff(slots(rest), slots(kept.lines), cmp.Comparer(func(a, b slot) bool { return a == b })); diff != "" {
			t.Errorf("after %d lines: slices in order (-want +got):\n%s", there, diff)
			continue
		}
		for i, l := range kept.lines {
			if l.Run != "r" || l.OrderSeed() != 7 || l.Order != rest[i].Order {
				t.Errorf("after %d lines: run %q, seed %d, place %d, want r, 7, %d", there, l.Run, l.OrderSeed(), l.Order, rest[i].Order)
			}
		}
		checkRates(t, slices.Concat(want[:there], kept.lines))
	}
}

// checkRates sees to it that a case has one rate of arrivals in all its lines.
func checkRates(t *testing.T, lines []result.Line) {
	t.Helper()
	rates := map[string]float64{}
	for _, l := range lines {
		key := plan.Unrated(l.Case)
		if rates[key] != 0 && rates[key] != l.Case.Rate {
			t.Errorf("%s has rates %g and %g", key, rates[key], l.Case.Rate)
		}
		rates[key] = l.Case.Rate
	}
}

func TestCapacitiesAreNotMeasuredAgain(t *testing.T) {
	_, lines := whole(t)
	r, kept := newRun(t, runningTwo(t), loaded(t, nil), inProcess("codec"))
	r, err := r.Resume(lines[:6]) // round 1 and a slice
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(kept.prepared, func(doing string) bool { return strings.Contains(doing, "capacity") }) {
		t.Errorf("done before the first slice: %q", kept.prepared)
	}
}

func TestResumeRefusesAnotherRun(t *testing.T) {
	_, lines := whole(t)
	for _, test := range []struct {
		field  string
		run    func(*Run)
		change func(*result.Line)
	}{
		{"seed", func(r *Run) { r.Seed = new(uint64(8)) }, nil},
		{"plan.rounds", func(r *Run) { r.Rounds = 4 }, nil},
		{"plan.slice_ns", func(r *Run) { r.Window = time.Second }, nil},
		{"plan.deadline_ns", func(r *Run) { r.Deadline = time.Second }, nil},
		{"plan.cases", func(r *Run) { r.Plan = planOf(r.Plan.Targets, loaded(t, nil), inProcess("codec"), perStack("more")) }, nil},
		{"case", func(r *Run) { r.Plan = planOf(r.Plan.Targets[:1], loaded(t, nil), inProcess("codec")) }, nil},
		{"case", func(r *Run) { r.Plan = planOf(r.Plan.Targets, inProcess("codec")) }, nil},
		{"case.libraries", func(r *Run) {
			r.Plan.Targets[0].Stack.Libraries = []string{"example.test/x v1.0.1"}
			r.Plan = planOf(r.Plan.Targets, loaded(t, nil), inProcess("codec"))
		}, nil},
		{"(plan)", nil, func(l *result.Line) { l.Plan = nil }},
		{"environment.commit", nil, func(l *result.Line) { l.Environment.Commit = "0123456789ab" }},
		{"environment.host", nil, func(l *result.Line) { l.Environment.Host = "another" }},
		{"environment.go", nil, func(l *result.Line) { l.Environment.Go = "go1.0" }},
		{"environment.gomaxprocs", nil, func(l *result.Line) { l.Environment.GoMaxProcs++ }},
		{"environment.profile", nil, func(l *result.Line) { l.Environment.Profile = "cpu" }},
	} {
		t.Run(test.field, func(t *testing.T) {
			r, kept := newRun(t, runningTwo(t), loaded(t, nil), inProcess("codec"))
			there := slices.Clone(lines[:8])
			for i := range there {
				if test.change != nil {
					test.change(&there[i])
				}
			}
			if test.run != nil {
				test.run(&r)
			}
			r, err := r.Resume(there)
			if err == nil {
				err = r.Do(t.Context())
			}
			if err == nil || !strings.Contains(err.Error(), test.field+" ") && !strings.HasSuffix(err.Error(), test.field) {
				t.Errorf("error %v, want one that names %s", err, test.field)
			}
			if len(kept.lines) > 0 {
				t.Errorf("%d lines were measured nevertheless", len(kept.lines))
			}
		})
	}
}

func TestResumeOfAWholeRunAndOfNone(t *testing.T) {
	r, lines := whole(t)
	if _, err := r.Resume(lines); !errors.Is(err, ErrWhole) {
		t.Errorf("error %v, want ErrWhole", err)
	}
	if resumed, err := r.Resume(nil); err != nil || len(resumed.done) != 0 {
		t.Errorf("nothing there: error %v, %d lines", err, len(resumed.done))
	}
}
