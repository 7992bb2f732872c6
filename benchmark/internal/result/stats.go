package result

import (
	"cmp"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

const (
	// MinRounds is how many rounds an interval or a comparison needs: with fewer
	// than 6 values no pair of order statistics covers a median with 95%.
	MinRounds = 6

	confidence = 0.95
)

// Estimate is what is known of a figure from n independent values.
type Estimate struct {
	N           int
	Median      float64
	Low, High   float64 // the interval, or the lowest and highest value
	HasInterval bool    // Low to High is a 95% interval of the median
}

// EstimateMedian needs at least one value and does not change values.
//
// The interval is exact and distribution-free: the k-th smallest and k-th largest value for the
// largest k at which they enclose the median with at least 95% (Conover, Practical Nonparametric
// Statistics, 3rd ed., section 3.2). With fewer than MinRounds values there is none, and Low and
// High are the extremes.
//
// golang.org/x/perf/benchmath has such intervals too, but not symmetric ones: of two that would do
// it takes the lower, and beyond 30 values an approximation.
func EstimateMedian(values []float64) Estimate {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	e := Estimate{N: n, Median: sorted[(n-1)/2]/2 + sorted[n/2]/2, Low: sorted[0], High: sorted[n-1]}
	if n >= MinRounds {
		k := medianRank(n)
		e.Low, e.High, e.HasInterval = sorted[k-1], sorted[n-k], true
	}
	return e
}

// medianRank is the largest k for which P(X < k) ≤ 2.5%, where X, the number of
// values below the median, is binomial with n and 1/2. It is 0 if there is none.
func medianRank(n int) int {
	below := 0.0
	for k := range n {
		below += fairBinomial(n, k) // P(X < k+1)
		if below > (1-confidence)/2 {
			return k
		}
	}
	return 0
}

// fairBinomial is the probability of k heads in n throws of a fair coin. It uses logarithms,
// because 2^-n is 0 from some 1,100 throws on.
func fairBinomial(n, k int) float64 {
	logFactorial := func(i int) float64 {
		v, _ := math.Lgamma(float64(i + 1))
		return v
	}
	return math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) - float64(n)*math.Ln2)
}

// Ratio compares two figures that were measured in the same rounds.
type Ratio struct {
	N         int
	Mean      float64 // geometric mean of the rounds' ratios
	Low, High float64 // its 95% interval; the lowest and highest ratio if not Claimed
	P         float64 // two-sided p-value of "the ratio is 1"; 1 if not Claimed
	Claimed   bool    // there are enough rounds for a claim
}

// Tie reports that the two cannot be told apart.
func (r Ratio) Tie() bool { return !r.Claimed || r.Low <= 1 && 1 <= r.High }

// Compare returns the ratio of a to b, where a[i] and b[i] are positive and from one round, so that
// what slows a whole round down cancels out. It is false if there is nothing to compare.
//
// The interval and the p-value are those of Student's paired t-test on the logarithms of the
// ratios. honesty_test.go counts how often it is wrong on recorded noise, and how often it sees a
// difference of 5%.
func Compare(a, b []float64) (Ratio, bool) {
	if len(a) != len(b) || len(a) == 0 {
		return Ratio{}, false
	}
	logs := make([]float64, len(a))
	for i := range a {
		if !(a[i] > 0 && b[i] > 0) {
			return Ratio{}, false
		}
		logs[i] = math.Log(a[i] / b[i])
	}
	mean, standardError := meanAndError(logs)
	r := Ratio{
		N: len(logs), Mean: math.Exp(mean), P: 1,
		Low: math.Exp(slices.Min(logs)), High: math.Exp(slices.Max(logs)),
	}
	if r.N >= MinRounds {
		half := stats.InvCDF(student(r.N))((1+confidence)/2) * standardError
		r.Low, r.High, r.Claimed = math.Exp(mean-half), math.Exp(mean+half), true
		r.P = pValue(mean, standardError, r.N)
	}
	return r, true
}

// meanAndError returns the mean and its standard error, which is 0 for one value.
func meanAndError(values []float64) (mean, standardError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if n < 2 {
		return mean, 0
	}
	var squares float64
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// pValue is two-sided. It is 0 or 1 for values that do not vary.
func pValue(mean, standardError float64, n int) float64 {
	if standardError == 0 {
		if mean == 0 {
			return 1
		}
		return 0
	}
	return 2 * student(n).CDF(-math.Abs(mean)/standardError)
}

// student is the distribution of the mean of n values, in standard errors.
func student(n int) stats.TDist { return stats.TDist{V: float64(n - 1)} }

// Significant says of each of the p-values whether it is significant at 5%, after
// Holm's step-down correction for their number (Scandinavian Journal of Statistics
// 6(2), 1979).
func Significant(p []float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	significant := make([]bool, len(p))
	for i, at := range order {
		if !(p[at] <= (1-confidence)/float64(len(p)-i)) {
			break
		}
		significant[at] = true
	}
	return significant
}

// AllSignificant reports whether every one of the p-values is. It is false for none.
func AllSignificant(p []float64) bool {
	return len(p) > 0 && !slices.Contains(Significant(p), false)
}
