package result

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEstimateMedian(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []float64
		want   Estimate
	}{
		{"one", []float64{7}, Estimate{1, 7, 7, 7, false}},
		{"even", []float64{4, 1, 3, 2}, Estimate{4, 2.5, 1, 4, false}},
		{"five: extremes, no interval", []float64{5, 1, 4, 2, 3}, Estimate{5, 3, 1, 5, false}},
		{"six: the extremes cover 96.9%", []float64{6, 1, 5, 2, 4, 3}, Estimate{6, 3.5, 1, 6, true}},
		{"eight: the extremes cover 99.2%", []float64{1, 2, 3, 4, 5, 6, 7, 8}, Estimate{8, 4.5, 1, 8, true}},
		{"nine: second and eighth cover 96.1%", []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, Estimate{9, 5, 2, 8, true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := append([]float64(nil), test.values...)
			if diff := cmp.Diff(test.want, EstimateMedian(test.values)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(before, test.values); diff != "" {
				t.Errorf("the values were changed:\n%s", diff)
			}
		})
	}
}

// The ranks are those of tables of the distribution-free interval of the median,
// such as Conover's A3 or the sign test's critical values for 5%, two-sided.
func TestMedianRank(t *testing.T) {
	for n, want := range map[int]int{
		5: 0, 6: 1, 8: 1, 9: 2, 11: 2, 12: 3, 14: 3, 15: 4, 20: 6, 25: 8, 30: 10, 50: 18, 100: 40, 2000: 956,
	} {
		if got := medianRank(n); got != want {
			t.Errorf("n=%d: rank %d, want %d", n, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	base := []float64{100, 80, 120, 90, 110, 100}
	times := func(factors ...float64) []float64 {
		product := make([]float64, len(base))
		for i := range base {
			product[i] = base[i] * factors[i]
		}
		return product
	}
	for _, test := range []struct {
		name string
		a, b []float64
		ok   bool
		mean float64
		tie  bool
	}{
		{"drift that both share drops out", times(1.05, 1.05, 1.05, 1.05, 1.05, 1.05), base, true, 1.05, false},
		{"a small but steady difference", times(1.02, 1.03, 1.02, 1.03, 1.02, 1.03), base, true, 1.025, false},
		{"noise around 1", times(1.1, 1/1.1, 1.1, 1/1.1, 1.1, 1/1.1), base, true, 1, true},
		{"the same", base, base, true, 1, true},
		{"too few rounds claim nothing", []float64{2, 2, 2, 2, 2}, []float64{1, 1, 1, 1, 1}, true, 2, true},
		{"no rounds", nil, nil, false, 0, false},
		{"not pairs", base, base[1:], false, 0, false},
		{"a ratio to nothing", base, times(0, 1, 1, 1, 1, 1), false, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Compare(test.a, test.b)
			if ok != test.ok {
				t.Fatalf("ok is %v, want %v", ok, test.ok)
			}
			if ok && (math.Abs(got.Mean-test.mean) > 1e-4 || got.Tie() != test.tie) {
				t.Errorf("got %+v (tie %v), want mean %g (tie %v)", got, got.Tie(), test.mean, test.tie)
			}
		})
	}
}

// The pairs of Student's own example (Biometrika 6, 1908): hours of sleep gained
// with two drugs, t = -4.0621 with 9 degrees of freedom, p = 0.002833,
// interval -2.4599 to -0.7001. Compare takes logarithms, so it is given powers.
func TestCompareKnownExample(t *testing.T) {
	first := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	second := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	for i := range first {
		first[i], second[i] = math.Exp(first[i]), math.Exp(second[i])
	}
	got, ok := Compare(first, second)
	if !ok {
		t.Fatal("nothing to compare")
	}
	for _, figure := range []struct {
		name      string
		got, want float64
	}{
		{"low", math.Log(got.Low), -2.4599},
		{"mean", math.Log(got.Mean), -1.58},
		{"high", math.Log(got.High), -0.7001},
		{"p", got.P, 0.002833},
	} {
		if math.Abs(figure.got-figure.want) > 1e-4 {
			t.Errorf("%s is %.5f, want %.5f", figure.name, figure.got, figure.want)
		}
	}
}

func TestAllSignificant(t *testing.T) {
	for _, test := range []struct {
		name string
		p    []float64
		want bool
	}{
		{"none", nil, false},
		{"one at the limit", []float64{0.05}, true},
		{"one beyond it", []float64{0.0501}, false},
		{"two: the smaller must reach 2.5%", []float64{0.05, 0.025}, true},
		{"two: it does not", []float64{0.04, 0.026}, false},
		{"three", []float64{0.05, 0.016, 0.025}, true},
		{"three: one is beyond", []float64{0.001, 0.051, 0.001}, false},
		{"not a number", []float64{math.NaN()}, false},
	} {
		if got := AllSignificant(test.p); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
