package result

import (
	"maps"
	"slices"
)

// CaseChange is one case on both sides.
type CaseChange struct {
	Old, New Summary
	// Metrics are those that both have, by name. After them come p50 and p99 of each histogram in
	// nanoseconds, such as latency_p99, if each round of both has them. It is empty if either is
	// disqualified.
	Metrics []MetricChange
}

// Disqualified reports whether one side has no number to compare.
func (c CaseChange) Disqualified() bool { return c.Old.Disqualified() || c.New.Disqualified() }

// MetricChange is one metric on both sides.
type MetricChange struct {
	Old, New MetricSummary
	// ByRun says that the compared values are medians of whole runs. Otherwise they are of rounds.
	ByRun bool
	Change
}

// tookTurns reports whether each side names the other as its partner, in the same runs.
func tookTurns(older, newer []Line) bool {
	runs := func(lines []Line, other string) map[string]bool {
		seen := map[string]bool{}
		for _, l := range lines {
			if l.Plan == nil || l.Plan.Against != other {
				return nil
			}
			seen[l.Run] = true
		}
		return seen
	}
	if len(older) == 0 || len(newer) == 0 {
		return false
	}
	olds, news := runs(older, newer[0].Environment.Version()), runs(newer, older[0].Environment.Version())
	return olds != nil && maps.Equal(olds, news)
}

func changeOf(older, newer Summary, paired bool) CaseChange {
	c := CaseChange{Old: older, New: newer}
	if c.Disqualified() {
		return c
	}
	c.Metrics = slices.Concat(changesOf(older.Metrics, newer.Metrics, paired), changesOf(older.times, newer.times, paired))
	return c
}

func changesOf(older, newer []MetricSummary, paired bool) []MetricChange {
	var changes []MetricChange
	for _, n := range newer {
		i := slices.IndexFunc(older, func(o MetricSummary) bool { return o.Name == n.Name })
		if i < 0 {
			continue
		}
		between := changeBetween
		if paired {
			between = changeInTurns
		}
		if ch, ok := between(older[i], n); ok {
			changes = append(changes, ch)
		}
	}
	return changes
}

// changeInTurns compares two versions that took turns: round by round, or without pairs if a value
// is 0, which has no ratio.
func changeInTurns(older, newer MetricSummary) (MetricChange, bool) {
	m := MetricChange{Old: older, New: newer}
	r, ok := CompareMetrics(newer, older)
	if !ok {
		m.Change, ok = CompareSamples(inTime(older.values), inTime(newer.values))
		return m, ok
	}
	m.Change = Change{Old: r.N, New: r.N, Ratio: r.Mean, Low: r.Low, High: r.High, Claimed: r.Claimed}
	return m, true
}

func changeBetween(older, newer MetricSummary) (MetricChange, bool) {
	m := MetricChange{Old: older, New: newer, ByRun: !deterministic(newer.Name)}
	if !m.ByRun {
		var ok bool
		m.Change, ok = CompareSamples(inTime(older.values), inTime(newer.values))
		return m, ok
	}
	olds, news := mediansOfRuns(older.values), mediansOfRuns(newer.values)
	if len(olds) == 0 || len(news) == 0 {
		return m, false
	}
	if len(olds) > 1 {
		m.Old.Estimate = EstimateMedian(olds)
	}
	if len(news) > 1 {
		m.New.Estimate = EstimateMedian(news)
	}
	m.Change = change(olds, news)
	return m, true
}

// mediansOfRuns gives a value for each run, in the order of time.
func mediansOfRuns(values map[slot]float64) []float64 {
	byRun := map[string][]float64{}
	for s, value := range values {
		byRun[s.run] = append(byRun[s.run], value)
	}
	medians := make([]float64, 0, len(byRun))
	for _, run := range slices.Sorted(maps.Keys(byRun)) {
		medians = append(medians, EstimateMedian(byRun[run]).Median)
	}
	return medians
}
