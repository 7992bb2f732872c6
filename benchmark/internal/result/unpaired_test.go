package result

import (
	"math"
	"testing"

	"github.com/aclements/go-moremath/stats"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Critical values of Mann and Whitney's U, 5% two-sided, from any table: the
// largest U that is significant is one less than the rank.
func TestRankSumRank(t *testing.T) {
	for _, test := range []struct{ n, m, want int }{
		{3, 3, 0}, {4, 4, 1}, {3, 5, 1}, {5, 5, 3}, {6, 6, 6}, {8, 8, 14}, {7, 9, 13}, {10, 10, 24}, {10, 15, 40}, {20, 20, 128},
	} {
		if got := rankSumRank(test.n, test.m); got != test.want {
			t.Errorf("n=%d, m=%d: rank %d, want %d", test.n, test.m, got, test.want)
		}
		if a, b := rankSumRank(test.n, test.m), rankSumRank(test.m, test.n); a != b {
			t.Errorf("n=%d, m=%d: rank %d, and %d the other way round", test.n, test.m, a, b)
		}
	}
}

// Beyond the sizes that are counted out, the rank is off by one at most, and then
// the interval is the wider for it. The ranks are counted out here by way of the
// whole distribution.
func TestRankSumRankOfLargeSamples(t *testing.T) {
	for _, size := range [][2]int{{26, 6}, {26, 26}, {30, 30}, {6, 40}, {40, 40}, {50, 50}} {
		n, m := size[0], size[1]
		exact := 0
		for (stats.UDist{N1: n, N2: m}).CDF(float64(exact)) <= 0.025 {
			exact++
		}
		if got := rankSumRank(n, m); got != exact && got != exact-1 {
			t.Errorf("n=%d, m=%d: rank %d, want %d or one less", n, m, got, exact)
		}
	}
}

// The permeability of placentas, from Hollander and Wolfe, Nonparametric
// Statistical Methods, table 4.1: the estimate of the difference is 0.305, its 95%
// interval -0.15 to 0.76. CompareSamples takes ratios, so it is given powers; what
// it would not claim with five values is looked at behind it.
func TestCompareSamplesKnownExample(t *testing.T) {
	var term, early []float64
	for _, x := range []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46} {
		term = append(term, math.Exp(x))
	}
	for _, y := range []float64{1.15, 0.88, 0.90, 0.74, 1.21} {
		early = append(early, math.Exp(y))
	}
	c := change(early, term)
	got := []float64{math.Log(c.Low), math.Log(c.Ratio), math.Log(c.High)}
	if diff := cmp.Diff([]float64{-0.15, 0.305, 0.76}, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("low, estimate, high: -want +got:\n%s", diff)
	}
}

func TestCompareSamples(t *testing.T) {
	six := []float64{100, 101, 102, 103, 104, 105}
	for _, test := range []struct {
		name         string
		older, newer []float64
		want         Change
		tie          bool
	}{
		{"one value each", []float64{10}, []float64{12}, Change{1, 1, 1.2, 1.2, 1.2, false}, true},
		{"five values claim nothing", []float64{1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 4}, Change{5, 5, 2, 2, 4, false}, true},
		{"five on one side", []float64{1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2, 2}, Change{5, 6, 2, 2, 2, false}, true},
		{"six values", []float64{1, 1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2, 2}, Change{6, 6, 2, 2, 2, true}, false},
		{"the same values", six, six, Change{6, 6, 1, 102.0 / 105, 105.0 / 102, true}, true},
		{"one outlier", []float64{1, 1, 1, 1, 1, 1}, []float64{1, 1, 1, 1, 1, 900}, Change{6, 6, 1, 1, 900, true}, true},
		{"nothing on both sides", []float64{0, 0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0, 0}, Change{6, 6, 1, 1, 1, true}, true},
		{"something from nothing", []float64{0, 0, 0, 0, 0, 0}, []float64{1, 1, 1, 1, 1, 1},
			Change{6, 6, math.Inf(1), math.Inf(1), math.Inf(1), true}, false},
		{"nothing from something", []float64{1, 1, 1, 1, 1, 1}, []float64{0, 0, 0, 0, 0, 0}, Change{6, 6, 0, 0, 0, true}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := CompareSamples(test.older, test.newer)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(1e-9, 0)); !ok || diff != "" || got.Tie() != test.tie {
				t.Errorf("ok %v, tie %v, want tie %v; -want +got:\n%s", ok, got.Tie(), test.tie, diff)
			}
		})
	}
	for _, empty := range [][2][]float64{{nil, six}, {six, nil}} {
		if _, ok := CompareSamples(empty[0], empty[1]); ok {
			t.Errorf("%v: something was compared", empty)
		}
	}
}
