package result

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// trait is one thing that lines must share to stand in one table.
type trait struct {
	field string
	of    func(*Line) any
}

// traits of the place and the build. The command may differ: a run that was
// resumed has two.
var traits = []trait{
	{"schema", func(l *Line) any { return l.Schema }},
	{"method", func(l *Line) any { return l.Method }},
	{"workers", func(l *Line) any { return l.MeasuredBy() }},
	{"environment.host", func(l *Line) any { return l.Environment.Host }},
	{"environment.cpu", func(l *Line) any { return l.Environment.CPU }},
	{"environment.cpus", func(l *Line) any { return l.Environment.CPUs }},
	{"environment.memory_bytes", func(l *Line) any { return l.Environment.Memory }},
	{"environment.gomaxprocs", func(l *Line) any { return l.Environment.GoMaxProcs }},
	{"environment.kernel", func(l *Line) any { return l.Environment.Kernel }},
	{"environment.os", func(l *Line) any { return l.Environment.OS }},
	{"environment.arch", func(l *Line) any { return l.Environment.Arch }},
	{"environment.go", func(l *Line) any { return l.Environment.Go }},
	{"environment.build", func(l *Line) any { return l.Environment.Build }},
	{"environment.commit", func(l *Line) any { return l.Environment.Commit }},
	{"environment.program", func(l *Line) any { return l.Environment.Program }},
	{"environment.pinned", func(l *Line) any { return l.Environment.Pinned }},
	{"environment.governor", func(l *Line) any { return l.Environment.Governor }},
	{"environment.virtual", func(l *Line) any { return l.Environment.Virtual }},
	{"environment.profile", func(l *Line) any { return l.Environment.Profile }},
	{"environment.variables", func(l *Line) any { return strings.Join(l.Environment.Assignments(), " ") }},
}

// SameEnvironment returns an error that names the first difference between the two environments
// that keeps their lines out of one table.
func SameEnvironment(known, now Environment) error {
	a, b := &Line{Environment: known}, &Line{Environment: now}
	for _, t := range traits {
		if t.of(a) != t.of(b) {
			return fmt.Errorf("%s was %#v and is %#v", t.field, t.of(a), t.of(b))
		}
	}
	return nil
}

// checkComparable returns an error that names the first field in which lines differ that must be
// the same.
func checkComparable(lines []Line) error {
	if len(lines) == 0 {
		return errors.New("compare results: there are none")
	}
	first := &lines[0]
	cases := map[string]*Line{}
	for i := range lines {
		l := &lines[i]
		for _, t := range traits {
			if got, want := t.of(l), t.of(first); got != want {
				return fmt.Errorf("compare results: %s is %#v in round %d of run %s and %#v in round %d of run %s: "+
					"results that differ in it cannot stand in one table; report them one by one",
					t.field, want, first.Round, first.Run, got, l.Round, l.Run)
			}
		}
		known, ok := cases[l.Case.Key()]
		if !ok {
			cases[l.Case.Key()] = l
			continue
		}
		if err := sameCase(known.Case, l.Case); err != nil {
			return err
		}
		if field, a, b := differentMeasure(known, l); field != "" {
			return fmt.Errorf("compare results of %s: %s is %v in round %d of run %s and %v in round %d of run %s: "+
				"they were measured in different ways; report them one by one",
				l.Case.Key(), field, a, known.Round, known.Run, b, l.Round, l.Run)
		}
	}
	return nil
}

// differentMeasure names the first difference between two lines of one case that changes what their
// figures mean. The field is empty if there is none.
func differentMeasure(a, b *Line) (field string, of, other any) {
	if a.Plan != nil && b.Plan != nil {
		if a.Case.Timed() && a.Plan.SliceNS != b.Plan.SliceNS {
			return "plan.slice_ns", a.Plan.SliceNS, b.Plan.SliceNS
		}
		if a.Plan.DeadlineNS != b.Plan.DeadlineNS {
			return "plan.deadline_ns", a.Plan.DeadlineNS, b.Plan.DeadlineNS
		}
	}
	// A warm-up that ended early has fewer calls, and a verdict. What runs in process is warmed
	// for a time and not by a count.
	if whole := !Disqualified(Judge(a)) && !Disqualified(Judge(b)); whole && a.Case.Mode != "" && a.WarmupCalls != b.WarmupCalls {
		return "warmup_calls", a.WarmupCalls, b.WarmupCalls
	}
	return "", nil, nil
}

// sameCase compares the fields that the key leaves out.
func sameCase(a, b Case) error {
	if a.Language != b.Language {
		return fmt.Errorf("compare results of %s: case.language is %q and %q", a.Key(), a.Language, b.Language)
	}
	if !slices.Equal(a.Libraries, b.Libraries) {
		return fmt.Errorf("compare results of %s: case.libraries is %q and %q: "+
			"other versions are other stacks; report them one by one", a.Key(), a.Libraries, b.Libraries)
	}
	return nil
}
