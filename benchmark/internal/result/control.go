package result

import (
	"math"
	"slices"
)

// Control is the result of the A/A control for one metric: how far a stack differs from itself,
// measured under two names. It is the noise floor of a run; a smaller difference between two stacks
// means nothing.
type Control struct {
	Stack     string
	Metric    string
	Pairs     int     // of cases that differ only in the name
	Different int     // pairs that the rule called different, which is wrong
	Low, High float64 // from the lowest to the highest end of their ratios' intervals
	Claimed   bool    // the intervals are there; if not, Low and High are of single rounds
}

// NoiseFloor finds the cases that differ only in their Replica, and sums up how each differs from
// the first of its kind, paired within rounds like any two stacks. The controls are in the order of
// the summaries and of their metrics. A run without a control, or whose control failed, has none.
func NoiseFloor(summaries []Summary) []Control {
	var controls []Control
	first := map[string]Summary{}
	for _, s := range summaries {
		if s.Disqualified() {
			continue
		}
		twin := s.Case
		twin.Replica = ""
		one, again := first[twin.Key()]
		if !again {
			first[twin.Key()] = s
			continue
		}
		for _, m := range s.Metrics {
			base, _ := one.Metric(m.Name)
			if ratio, ok := CompareMetrics(m, base); ok {
				controls = addPair(controls, s.Case.Stack, m.Name, ratio)
			}
		}
	}
	return controls
}

// addPair widens the control of the stack and metric, and begins it if this is its
// first pair. A pair without an interval counts only as long as none has one.
func addPair(controls []Control, stack, metric string, r Ratio) []Control {
	i := slices.IndexFunc(controls, func(c Control) bool { return c.Stack == stack && c.Metric == metric })
	if i < 0 {
		i = len(controls)
		controls = append(controls, Control{Stack: stack, Metric: metric, Low: math.Inf(1)})
	}
	c := &controls[i]
	if c.Claimed && !r.Claimed {
		return controls
	}
	if r.Claimed && !c.Claimed {
		*c = Control{Stack: stack, Metric: metric, Low: math.Inf(1), Claimed: true}
	}
	c.Pairs++
	c.Low, c.High = min(c.Low, r.Low), max(c.High, r.High)
	if !r.Tie() {
		c.Different++
	}
	return controls
}
