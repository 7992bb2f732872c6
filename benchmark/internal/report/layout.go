package report

import (
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// layout is a view with its fields looked up. It says how the cases of a scenario become tables.
type layout struct {
	view.View
	subject             []parameter // what is compared: stacks, or clients of one server
	split, rows, across []parameter
}

func newLayout(v view.View) layout {
	l := layout{View: v, split: fields(v.Split), rows: fields(v.Rows), across: fields(v.Across), subject: []parameter{stackName}}
	if v.Compares == view.Client {
		l.subject = []parameter{client, clientLanguage}
	}
	return l
}

// place returns the position of a metric among those that are shown, or -1.
func (l layout) place(metric string) int {
	return slices.IndexFunc(l.Metrics, func(shown string) bool {
		beginning, open := strings.CutSuffix(shown, "…")
		return shown == metric || open && strings.HasPrefix(metric, beginning)
	})
}

// yardstick reports whether a stack is only there for comparison, and so is never called the best.
func yardstick(stack string) bool {
	library, _, _ := strings.Cut(stack, "/")
	return library == "copy" || library == "bare" || library == "floor"
}

// isFloor reports whether a stack is the hand-framed one with which others are compared. A variant
// of it is one of the others.
func isFloor(stack string) bool {
	return strings.HasPrefix(stack, "floor/") && !strings.Contains(stack, "+")
}

// distinctStacks lists the stacks of the summaries by name.
func distinctStacks(summaries []result.Summary) []string {
	var names []string
	for _, s := range summaries {
		names = append(names, s.Case.Stack)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// scenarios lists the scenarios of the summaries in the order of the views.
func (r Report) scenarios() []string {
	var names []string
	for _, s := range r.Summaries {
		names = append(names, s.Case.Scenario)
	}
	return view.Order(r.views, names)
}

// layoutOf returns the layout of the scenario's tables.
func (r Report) layoutOf(scenario string) layout { return newLayout(view.Of(r.views, scenario)) }
