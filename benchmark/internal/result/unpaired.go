package result

import (
	"math"
	"slices"
	"sort"

	"github.com/aclements/go-moremath/stats"
)

// Change compares two samples of one figure that were measured separately, such as those of two
// runs.
type Change struct {
	Old, New  int     // how many values each side has
	Ratio     float64 // of new to old; not a number if nothing can be said
	Low, High float64 // its 95% interval; the lowest and highest ratio if not Claimed
	Claimed   bool    // there are enough values for a claim
}

// Tie reports that the two cannot be told apart.
func (c Change) Tie() bool { return !c.Claimed || c.Low <= 1 && 1 <= c.High }

// CompareSamples returns the ratio of the new sample to the old one, of values that are not
// negative. It is false if one of them is empty. It claims nothing unless both have MinRounds
// values.
//
// The ratio is the median of the ratios of each new value to each old one (Hodges and Lehmann,
// Annals of Mathematical Statistics 34(2), 1963). Its interval belongs to the Mann–Whitney test
// (Conover, Practical Nonparametric Statistics, 3rd ed., section 5.4): it leaves out 1 exactly when
// that test, at 5%, tells the samples apart. Neither assumes a distribution, and an outlier counts
// as one value whatever its size; in Welch's test on the logarithms it would have all its weight.
// Both assume that the rounds are independent, so they cannot see what else changed between the
// runs.
func CompareSamples(older, newer []float64) (Change, bool) {
	if len(older) == 0 || len(newer) == 0 {
		return Change{}, false
	}
	c := change(older, newer)
	if min(c.Old, c.New) < MinRounds && c.Claimed {
		c = c.unclaimed(older, newer)
	}
	return c, true
}

// change makes claims as soon as the test can be significant at all, which is from 4 values on each
// side.
func change(older, newer []float64) Change {
	ratios := make([]float64, 0, len(older)*len(newer))
	for _, o := range older {
		for _, n := range newer {
			ratios = append(ratios, ratioOf(n, o))
		}
	}
	slices.Sort(ratios)
	count := len(ratios)
	c := Change{
		Old: len(older), New: len(newer), Ratio: between(ratios[(count-1)/2], ratios[count/2]),
		Low: ratios[0], High: ratios[count-1],
	}
	if k := rankSumRank(len(older), len(newer)); k > 0 {
		c.Low, c.High, c.Claimed = ratios[k-1], ratios[count-k], true
	}
	return c
}

func (c Change) unclaimed(older, newer []float64) Change {
	c.Low, c.High = ratioOf(slices.Min(newer), slices.Max(older)), ratioOf(slices.Max(newer), slices.Min(older))
	c.Claimed = false
	return c
}

// ratioOf returns 1 for two zeros, as for allocations that are not made, and infinity for something
// over zero.
func ratioOf(a, b float64) float64 {
	if a == b {
		return 1
	}
	return a / b
}

// between is the geometric mean, which is not defined between 0 and infinity.
func between(a, b float64) float64 {
	if a == b {
		return a
	}
	return math.Sqrt(a) * math.Sqrt(b)
}

// exactRanks is the sample size up to which the distribution of the rank sum is
// counted out. Beyond it the normal approximation is as good: see its test.
const exactRanks = 25

// rankSumRank is the largest k for which P(U < k) ≤ 2.5%, where U is Mann and
// Whitney's statistic of samples of n and m values that do not differ. It is 0 if
// there is none. Ties make the interval wider, never too narrow.
func rankSumRank(n, m int) int {
	if max(n, m) > exactRanks {
		const z = 1.959964 // 97.5% of the normal distribution lie below
		product := float64(n) * float64(m)
		deviation := math.Sqrt(product * float64(n+m+1) / 12)
		return max(0, int(math.Floor(product/2-z*deviation+0.5)))
	}
	return sort.Search(n*m, func(k int) bool {
		return stats.UDist{N1: n, N2: m}.CDF(float64(k)) > (1-confidence)/2 // P(U < k+1)
	})
}
