package result

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// twins are two cases of one stack, of which the second has so many percent of the
// first's rate in each round.
func twins(t *testing.T, concurrency int, percents ...float64) []Line {
	t.Helper()
	var lines []Line
	for i, percent := range percents {
		base := 1000 * float64(i+1) // what slows both in a round drops out
		pair := rounds(t, base, base*percent/100)
		for j := range pair {
			pair[j].Round, pair[j].Case.Concurrency = i+1, concurrency
		}
		pair[1].Case.Replica = "again"
		lines = append(lines, pair...)
	}
	return lines
}

func TestNoiseFloor(t *testing.T) {
	const stack = "grpc-go/grpc/h2c"
	for _, test := range []struct {
		name  string
		lines []Line
		want  []Control
	}{
		{"no control", rounds(t, 1, 2, 3), nil},
		{"too few rounds for an interval", twins(t, 4, 99, 102), []Control{{stack, "rate", 1, 0, 0.99, 1.02, false}}},
		{"always the same", twins(t, 4, 100, 100, 100, 100, 100, 100), []Control{{stack, "rate", 1, 0, 1, 1, true}}},
		// The logarithms have the mean 0 and the standard error ln(1.02)/√5; t is 2.5706.
		{"noise", twins(t, 4, 102, 100/1.02, 102, 100/1.02, 102, 100/1.02), []Control{{stack, "rate", 1, 0, 0.97749, 1.02303, true}}},
		{"called different", twins(t, 4, 102, 102, 102, 102, 102, 102), []Control{{stack, "rate", 1, 1, 1.02, 1.02, true}}},
		{"two pairs, the wider end of each", slices.Concat(twins(t, 4, 102, 102, 102, 102, 102, 102), twins(t, 16, 99, 99, 99, 99, 99, 99)),
			[]Control{{stack, "rate", 2, 2, 0.99, 1.02, true}}},
		{"a pair without an interval beside one with", slices.Concat(twins(t, 4, 50, 200), twins(t, 16, 99, 99, 99, 99, 99, 99)),
			[]Control{{stack, "rate", 1, 1, 0.99, 0.99, true}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sums, err := Summarize(test.lines)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, NoiseFloor(sums), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What did not run properly is no measure of noise.
func TestNoiseFloorWithoutFailedCases(t *testing.T) {
	lines := twins(t, 4, 100, 100, 100, 100, 100, 100)
	lines[3].Errors = map[string]int64{"unavailable": 1}
	sums, err := Summarize(lines)
	if err != nil {
		t.Fatal(err)
	}
	if got := NoiseFloor(sums); got != nil {
		t.Errorf("got %+v, want none", got)
	}
}
