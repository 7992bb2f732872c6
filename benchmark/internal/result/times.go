package result

import "slices"

// comparedPercentiles are the percentiles that are compared round by round.
var comparedPercentiles = []string{"p50", "p99"}

// timesByRound makes metrics of the percentiles of each round's histograms, so that they can be
// compared as rates are: the percentile of all rounds together is one value and has no interval. A
// percentile that is thin in any round is left out, since the rounds that have it would be the fast
// ones.
func timesByRound(lines []Line) []MetricSummary {
	var times []MetricSummary
	for _, h := range lines[0].Histograms {
		for _, p := range comparedPercentiles {
			m := MetricSummary{Name: h.Name + "_" + p, Unit: "ns", Better: Lower, values: map[slot]float64{}}
			for _, l := range lines {
				if ns := l.percentile(h.Name, p); ns != nil {
					m.values[slotOf(l)] = float64(*ns)
				}
			}
			if len(m.values) < len(lines) {
				continue
			}
			m.Estimate = EstimateMedian(inTime(m.values))
			m.Verdicts = steadiness(m)
			times = append(times, m)
		}
	}
	return times
}

// percentile is nil where the line does not have it.
func (l Line) percentile(histogram, name string) *int64 {
	for _, h := range l.Histograms {
		if h.Name != histogram {
			continue
		}
		percentiles := h.Percentiles()
		return percentiles[slices.IndexFunc(percentiles, func(p Percentile) bool { return p.Name == name })].NS
	}
	return nil
}
