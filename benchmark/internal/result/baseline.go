package result

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Baseline holds figures for comparison with later results.
type Baseline struct {
	// Lines has one line for each case, in the order of summaries. Each has the medians over the
	// rounds of those deterministic metrics that repeated, and no times.
	Lines []Line
	// Loose are the deterministic metrics that did not repeat, a sentence each. A
	// gate on them would fail by chance.
	Loose []string
}

// NewBaseline keeps the figures that every round repeated to within the tolerance, a share of their
// median.
func NewBaseline(lines []Line, tolerance float64) (Baseline, error) {
	summaries, err := Summarize(lines)
	if err != nil {
		return Baseline{}, fmt.Errorf("make baseline: %w", err)
	}
	var b Baseline
	for _, s := range summaries {
		if s.Disqualified() {
			return Baseline{}, fmt.Errorf("make baseline: %s has the verdict %s", s.Case.Key(), s.Verdicts[0])
		}
		first := slices.MinFunc(linesOf(lines, s.Case), func(a, b Line) int { return compareSlots(slotOf(a), slotOf(b)) })
		if kept := b.keep(first, s, tolerance); len(kept.Metrics) > 0 {
			b.Lines = append(b.Lines, kept)
		}
	}
	return b, nil
}

func linesOf(lines []Line, c Case) []Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Case.Key() != c.Key() })
}

// keep returns the baseline's line of the case, and adds what it leaves out to b.Loose.
func (b *Baseline) keep(first Line, s Summary, tolerance float64) Line {
	kept := Line{
		Schema: first.Schema, Run: first.Run, Round: 1, Order: len(b.Lines) + 1, Started: first.Started, Case: first.Case,
		Method: first.Method, WarmupCalls: first.WarmupCalls, WindowNS: first.WindowNS, Calls: first.Calls, Sent: first.Sent, Received: first.Received,
		Opened: first.Opened, Accepted: first.Accepted, Environment: first.Environment,
	}
	for _, m := range s.Metrics {
		switch lowest, highest := m.extremes(); {
		case !deterministic(m.Name):
		case highest-lowest > tolerance*m.Median || m.N < s.Rounds:
			b.Loose = append(b.Loose, fmt.Sprintf("%s: %s is %.4g to %.4g", s.Case.Key(), m.Name, lowest, highest))
		default:
			kept.Metrics = append(kept.Metrics, Metric{Name: m.Name, Unit: m.Unit, Better: m.Better, Value: m.Median})
		}
	}
	return kept
}

// extremes are the lowest and the highest value of all rounds.
func (m MetricSummary) extremes() (lowest, highest float64) {
	lowest, highest = m.Median, m.Median
	for _, value := range m.values {
		lowest, highest = min(lowest, value), max(highest, value)
	}
	return lowest, highest
}

// Write writes the lines as a result file.
func (b Baseline) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, l := range b.Lines {
		if err := encoder.Encode(l); err != nil {
			return fmt.Errorf("write baseline: %w", err)
		}
	}
	return nil
}

// CompareDeterministic is CompareAcross for deterministic figures only. They do not depend on the
// machine as long as it runs the same code. So the two sides may differ in host, processors, kernel
// and other properties of the place, but not in system, architecture, Go version and build.
// Versions of libraries may differ: their cost is what such a comparison should show.
func CompareDeterministic(older, newer []Line) (Comparison, error) {
	c, err := compareAcross(older, newer, sameCode)
	for i := range c.Cases {
		c.Cases[i].Metrics = slices.DeleteFunc(c.Cases[i].Metrics, func(m MetricChange) bool { return !deterministic(m.New.Name) })
	}
	return c, err
}

// sameCode compares what decides which instructions run.
func sameCode(older, newer *Line) error {
	fields := []string{"schema", "environment.os", "environment.arch", "environment.go", "environment.build", "environment.profile"}
	for _, t := range traits {
		if o, n := t.of(older), t.of(newer); o != n && slices.Contains(fields, t.field) {
			return incomparable(t.field, o, n)
		}
	}
	return nil
}
