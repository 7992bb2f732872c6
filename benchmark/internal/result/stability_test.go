package result

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDriftAndNoise(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []float64
		want   []Verdict
	}{
		{"steady", []float64{101, 99, 100, 102, 98, 100, 101, 99}, nil},
		{"one value", []float64{100}, nil},

		// Of 8 values, all of one half must exceed all of the other: p = 2/70.
		{"8 rounds, halves apart", []float64{100, 101, 102, 103, 104, 105, 106, 107}, []Verdict{Drift}},
		{"8 rounds, downwards", []float64{107, 106, 105, 104, 103, 102, 101, 100}, []Verdict{Drift}},
		{"8 rounds, halves overlap by one value", []float64{100, 101, 102, 104, 103, 105, 106, 107}, nil},
		{"7 rounds are too few", []float64{100, 101, 102, 103, 104, 105, 106}, nil},
		{"9 rounds, the middle one is of neither half", []float64{100, 101, 102, 103, 99, 104, 105, 106, 107}, []Verdict{Drift}},
		// Of 10 values, U = 2 is significant (p = 0.032), U = 3 is not (p = 0.056).
		{"10 rounds, U = 2", []float64{100, 101, 102, 104, 106, 103, 105, 107, 108, 109}, nil}, // U = 3
		{"10 rounds, U = 1", []float64{100, 101, 102, 103, 105, 104, 106, 107, 108, 109}, []Verdict{Drift}},

		// Six rounds: the interval is that from the lowest to the highest.
		{"10% below the median", []float64{90, 100, 100, 100, 100, 100}, nil},
		{"further below", []float64{89.9, 100, 100, 100, 100, 100}, []Verdict{Noisy}},
		{"10% above the median", []float64{100, 100, 100, 100, 100, 110}, nil},
		{"further above", []float64{100, 100, 100, 100, 100, 110.1}, []Verdict{Noisy}},
		{"five rounds have no interval", []float64{50, 100, 100, 100, 150}, nil},
		{"always nothing", []float64{0, 0, 0, 0, 0, 0, 0, 0}, nil},
		{"nothing, then something", []float64{0, 0, 0, 0, 1, 1, 1, 1}, []Verdict{Drift, Noisy}},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := rounds(t, test.values...)
			slices.Reverse(lines) // their order says nothing, their rounds do
			sums, err := Summarize(lines)
			if err != nil {
				t.Fatal(err)
			}
			rate, _ := sums[0].Metric("rate")
			if diff := cmp.Diff(test.want, rate.Verdicts); diff != "" {
				t.Errorf("metric, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(slices.Concat(thinOnly, test.want), sums[0].Verdicts); diff != "" {
				t.Errorf("case, -want +got:\n%s", diff)
			}
		})
	}
}

// A case with one restless metric has the mark; its other metrics do not.
func TestVerdictsOn(t *testing.T) {
	lines := rounds(t, 100, 100, 100, 100, 100, 200)
	for i := range lines {
		lines[i].Metrics = append(lines[i].Metrics, Metric{Name: "allocations", Unit: "1", Better: Lower, Value: 7})
		lines[i].Verdicts = []Verdict{Drift, Noisy} // a line cannot know
	}
	sums, err := Summarize(lines)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]Verdict{"rate": {ThinPercentile, Noisy}, "allocations": {ThinPercentile}} {
		m, _ := sums[0].Metric(name)
		if diff := cmp.Diff(want, sums[0].VerdictsOn(m)); diff != "" {
			t.Errorf("%s, -want +got:\n%s", name, diff)
		}
	}
}
