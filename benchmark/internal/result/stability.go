package result

import (
	"maps"
	"slices"
)

// noisyBeyond is how far from the median its interval may reach.
const noisyBeyond = 0.10

// steadiness returns the verdicts on one metric over all rounds. With too few rounds for an
// interval, or for two halves, there are none.
func steadiness(m MetricSummary) []Verdict {
	return inOrder(map[Verdict]bool{
		Drift: drifts(inTime(m.values)),
		Noisy: m.HasInterval && (m.Low < (1-noisyBeyond)*m.Median || m.High > (1+noisyBeyond)*m.Median),
	})
}

// inTime lists the values in the order in which they were measured.
func inTime(values map[slot]float64) []float64 {
	ordered := make([]float64, 0, len(values))
	for _, s := range slices.SortedFunc(maps.Keys(values), compareSlots) {
		ordered = append(ordered, values[s])
	}
	return ordered
}

// drifts reports whether the first and the last half of the values differ by the Mann–Whitney test
// at 5%, two-sided (Mann and Whitney, Annals of Mathematical Statistics 18(1), 1947). Fewer than 8
// values never do. The middle one of an odd number belongs to neither half.
//
// The test assumes that the values are independent. If they are not, as when a neighbour is busy
// for some rounds and then quiet for some, it finds drift more often than once in 20. That is
// right: the interval of the median is too narrow then.
func drifts(values []float64) bool {
	half := len(values) / 2
	if half == 0 {
		return false
	}
	return !change(values[:half], values[len(values)-half:]).Tie()
}
