package result

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Gate bounds the change of a deterministic figure between two sets of results, such as
// allocations_per_call>+2%. There are no gates on times: on a shared machine they differ by more
// than a gate would allow, and people soon ignore a check that fails by chance.
type Gate struct {
	Metric  string  // or the beginning of several, such as allocations*
	Percent float64 // how far the figure may change
	Falling bool    // the gate bounds how far it may shrink; otherwise how far it may grow
}

// gateForm matches one gate, with no more digits than a number keeps.
var gateForm = regexp.MustCompile(`^([a-z][a-z0-9_]{0,99}\*?)\s*(>\s*\+|<\s*-)\s*([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*%$`)

// ParseGates parses gates that are separated by commas.
func ParseGates(expression string) ([]Gate, error) {
	var gates []Gate
	for part := range strings.SplitSeq(expression, ",") {
		part = strings.TrimSpace(part)
		found := gateForm.FindStringSubmatch(part)
		if found == nil {
			return nil, fmt.Errorf("parse gate %q: want METRIC>+PERCENT%% or METRIC<-PERCENT%%, several separated by commas, "+
				"such as allocations_per_op>+2%%", part)
		}
		percent, err := strconv.ParseFloat(found[3], 64)
		if err != nil {
			return nil, fmt.Errorf("parse gate %q: %w", part, err)
		}
		g := Gate{Metric: found[1], Percent: percent, Falling: found[2][0] == '<'}
		if !deterministic(g.Metric) {
			return nil, fmt.Errorf("parse gate %q: %s is not deterministic: times, rates and what follows from them "+
				"differ from run to run by themselves, so a gate on them would fail by chance; gates are for metrics named %s",
				part, g.Metric, strings.Join(deterministicNames, ", "))
		}
		gates = append(gates, g)
	}
	return gates, nil
}

// String is the gate as ParseGates reads it.
func (g Gate) String() string {
	sign := ">+"
	if g.Falling {
		sign = "<-"
	}
	return g.Metric + sign + strconv.FormatFloat(g.Percent, 'f', -1, 64) + "%"
}

// deterministicNames are the beginnings of the names of metrics that are the same, or nearly,
// whenever a program does the same.
var deterministicNames = []string{"allocations…", "allocated_bytes…", "wire_bytes…", "syscalls…", "instructions…"}

func deterministic(metric string) bool {
	return slices.ContainsFunc(deterministicNames, func(name string) bool {
		return strings.HasPrefix(metric, strings.TrimSuffix(name, "…"))
	})
}

// Passes reports whether the figure stays within the gate. A slack of one billionth allows for
// binary fractions, so that a change of exactly the bound passes.
func (g Gate) Passes(c Change) bool {
	const slack = 1e-9
	if g.Falling {
		return c.Ratio >= 1-g.Percent/100-slack
	}
	return c.Ratio <= 1+g.Percent/100+slack
}

// GateFailure is one figure that a gate does not let pass.
type GateFailure struct {
	Gate Gate
	Case Case
	Text string // by how much it fails, or why it cannot be judged
}

// Check applies the gate to the comparison. A case that has lost its figure fails, and so does one
// that is missing on the new side. If no case has the metric the gate guards nothing, and that is
// an error.
func (g Gate) Check(c Comparison) ([]GateFailure, error) {
	var failures []GateFailure
	names := g.metrics(c)
	for _, name := range names {
		one := g
		one.Metric = name
		more, err := one.check(c)
		if err != nil {
			return nil, err
		}
		failures = append(failures, more...)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("check gate %s: no case on both sides has that metric; gates are possible on: %s", g, c.gateable())
	}
	return failures, nil
}

// metrics lists the metrics of the comparison that the gate bounds.
func (g Gate) metrics(c Comparison) []string {
	found := map[string]bool{}
	beginning, several := strings.CutSuffix(g.Metric, "*")
	sides := slices.Clone(c.gone)
	for _, one := range c.Cases {
		sides = append(sides, one.Old, one.New)
	}
	for _, side := range sides {
		for _, m := range side.Metrics {
			if m.Name == g.Metric || several && strings.HasPrefix(m.Name, beginning) {
				found[m.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// check is Check for one metric.
func (g Gate) check(c Comparison) ([]GateFailure, error) {
	var failures []GateFailure
	fail := func(of CaseChange, format string, args ...any) {
		failures = append(failures, GateFailure{Gate: g, Case: of.New.Case, Text: fmt.Sprintf(format, args...)})
	}
	for _, one := range c.Cases {
		older, had := one.Old.Metric(g.Metric)
		newer, _ := one.New.Metric(g.Metric)
		switch i := slices.IndexFunc(one.Metrics, func(m MetricChange) bool { return m.New.Name == g.Metric }); {
		case i >= 0 && timed(newer.Unit):
			return nil, fmt.Errorf("check gate %s: the metric is in %s, a time or a rate, on which there are no gates", g, newer.Unit)
		case i >= 0 && !g.Passes(one.Metrics[i].Change):
			fail(one, "%s, from %g to %g", percentText(one.Metrics[i].Ratio), older.Median, newer.Median)
		case i < 0 && had:
			fail(one, "there is no figure to judge by: %s", noFigure(one))
		}
	}
	for _, lone := range c.gone {
		if _, had := lone.Metric(g.Metric); had {
			failures = append(failures, GateFailure{Gate: g, Case: lone.Case, Text: "the case is missing from the new results"})
		}
	}
	return failures, nil
}

// timed reports whether the unit is that of a time or a rate.
func timed(unit string) bool {
	first, _, _ := strings.Cut(unit, "/")
	return strings.HasSuffix(unit, "/s") || slices.Contains([]string{"ns", "us", "µs", "ms", "s"}, first)
}

func percentText(ratio float64) string {
	if math.IsInf(ratio, 1) {
		return "something where there was nothing"
	}
	return fmt.Sprintf("%+.3g%%", 100*(ratio-1))
}

func noFigure(c CaseChange) string {
	for _, side := range []struct {
		name string
		Summary
	}{{"old", c.Old}, {"new", c.New}} {
		if side.Disqualified() {
			return fmt.Sprintf("the %s results have the verdict %s", side.name, side.Verdicts[0])
		}
	}
	return "the new results lack it"
}

// gateable lists the metrics of the comparison that may have a gate.
func (c Comparison) gateable() string {
	var names []string
	for _, one := range c.Cases {
		for _, m := range one.Metrics {
			if deterministic(m.New.Name) && !timed(m.New.Unit) && !slices.Contains(names, m.New.Name) {
				names = append(names, m.New.Name)
			}
		}
	}
	if len(names) == 0 {
		return "none, for these results have no deterministic metric"
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
