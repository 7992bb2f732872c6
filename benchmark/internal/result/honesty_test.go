package result

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// recorded is testdata/aa.json: the rates of slices of one server under two names,
// for several cases. The file says how they were recorded, so that they can be
// recorded anew on another machine.
type recorded struct {
	Cases []struct {
		Payload     int          `json:"payload_bytes"`
		Concurrency int          `json:"concurrency"`
		Rounds      [][2]float64 `json:"rounds"`
	} `json:"cases"`
}

func readRecorded(t *testing.T) recorded {
	t.Helper()
	text, err := os.ReadFile("testdata/aa.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Cases {
		if len(c.Rounds) < 60 {
			t.Fatalf("%d rounds at concurrency %d, want at least 60", len(c.Rounds), c.Concurrency)
		}
	}
	if len(r.Cases) == 0 {
		t.Fatal("no cases")
	}
	return r
}

// pairs draws rounds of one of the cases, with replacement, and gives the two
// names at random: whatever one had over the other is gone.
func (r recorded) pairs(random *rand.Rand, rounds int) (a, b []float64) {
	pool := r.Cases[random.IntN(len(r.Cases))].Rounds
	for range rounds {
		pair := pool[random.IntN(len(pool))]
		first := random.IntN(2)
		a, b = append(a, pair[first]), append(b, pair[1-first])
	}
	return a, b
}

// samples draws from all slices of one of the cases, each for itself, as if the
// two sides were two runs of the same noise.
func (r recorded) samples(random *rand.Rand, rounds int) (a, b []float64) {
	pool := r.Cases[random.IntN(len(r.Cases))].Rounds
	for range rounds {
		a = append(a, pool[random.IntN(len(pool))][random.IntN(2)])
		b = append(b, pool[random.IntN(len(pool))][random.IntN(2)])
	}
	return a, b
}

// runs draws so many runs of each of two sides that do not differ. Slices that stand
// next to each other in the file were measured within the same minutes: a run is a
// stretch of them from anywhere, so that its rounds have in common what those minutes had.
func (r recorded) runs(t *testing.T, random *rand.Rand, runs, rounds int) Change {
	pool := r.Cases[random.IntN(len(r.Cases))].Rounds
	var sides [2]map[slot]float64
	for side := range sides {
		sides[side] = map[slot]float64{}
		for run := range runs {
			from := random.IntN(len(pool) - rounds + 1)
			for round := range rounds {
				sides[side][slot{strconv.Itoa(run), round}] = pool[from+round][random.IntN(2)]
			}
		}
	}
	m, ok := changeBetween(MetricSummary{Name: "rate", values: sides[0]}, MetricSummary{Name: "rate", values: sides[1]})
	if !ok {
		t.Fatal("nothing was compared")
	}
	return m.Change
}

// resampled is how many runs each figure below rests on.
const resampled = 10_000

// share is how many of so many runs something holds for, as a fraction.
func share(runs int, holds func() bool) float64 {
	count := 0
	for range runs {
		if holds() {
			count++
		}
	}
	return float64(count) / float64(runs)
}

// The rules allow themselves to be wrong once in 20. What they are on noise as it
// was recorded, which is neither normal nor free of outliers, is counted here. Half
// a percent is for the counting: 10,000 runs at 5% have a standard error of 0.2%.
//
// Drawing rounds one by one takes them for independent of each other, as the rules
// do. The order within each round was shuffled when they were recorded, and their
// paired ratios hardly depend on those of the round before (lag-1 autocorrelation
// from -0.26 to 0.04); single rates may, which is what Drift is for.
func TestFalseCalls(t *testing.T) {
	r := readRecorded(t)
	random := rand.New(rand.NewPCG(7, 11))
	for _, rule := range []struct {
		name   string
		rounds []int
		calls  func(rounds int) bool
	}{
		{"Compare, paired", []int{MinRounds, 12, 30}, func(rounds int) bool {
			ratio, ok := Compare(r.pairs(random, rounds))
			return ok && !ratio.Tie()
		}},
		{"CompareSamples, unpaired", []int{MinRounds, 16}, func(rounds int) bool {
			change, ok := CompareSamples(r.samples(random, rounds))
			return ok && !change.Tie()
		}},
		{"CompareAcross, four runs on each side", []int{MinRounds, 20}, func(rounds int) bool {
			return !r.runs(t, random, 4, rounds).Tie()
		}},
		{"CompareAcross, ten runs on each side", []int{MinRounds, 20}, func(rounds int) bool {
			return !r.runs(t, random, 10, rounds).Tie()
		}},
		{"Drift", []int{8, 12, 24}, func(rounds int) bool {
			values, _ := r.samples(random, rounds)
			return drifts(values)
		}},
	} {
		for _, rounds := range rule.rounds {
			got := share(resampled, func() bool { return rule.calls(rounds) })
			t.Logf("%s: %.2f%% of %d resampled A/A runs of %d rounds called different", rule.name, 100*got, resampled, rounds)
			if got > 0.055 {
				t.Errorf("%s: %.2f%% of A/A runs of %d rounds called different, want at most 5.5%%", rule.name, 100*got, rounds)
			}
			// A rule that never calls anything different would pass the test above.
			if got < 0.005 {
				t.Errorf("%s: %.2f%% of A/A runs of %d rounds called different: the rule is blind", rule.name, 100*got, rounds)
			}
		}
	}
}

// Power is how often a stack that is truly 5% faster is called faster. It depends
// on the noise and the number of rounds alone, and is computed here for the noise
// that was recorded and for a machine with a tenth of it. The figures hold for
// the file as it is; whoever records it anew writes down others.
//
// The file was recorded on a machine that was busy with other things: the ratio of
// two slices of one round has a standard deviation of 0.6, that is, a factor of
// 1.8. On such a machine a difference of 5% cannot be seen, and the rule says ~
// nine times in ten. With a tenth of that noise, 30 rounds see it nearly always.
func TestPowerAtFivePercent(t *testing.T) {
	r := readRecorded(t)
	random := rand.New(rand.NewPCG(13, 17))
	for _, test := range []struct {
		noise  float64 // of what was recorded
		rounds int
		want   float64
	}{
		{1, 12, 0.049},
		{1, 30, 0.075},
		{1, 60, 0.099},
		{0.1, 12, 0.763},
		{0.1, 30, 0.963},
		{0.1, 60, 0.999},
	} {
		got := share(resampled, func() bool {
			a, b := r.pairs(random, test.rounds)
			for i := range a {
				a[i] = 1.05 * math.Pow(a[i]/b[i], test.noise)
				b[i] = 1
			}
			ratio, ok := Compare(a, b)
			return ok && !ratio.Tie() && ratio.Mean > 1
		})
		t.Logf("%.0f%% of the recorded noise, %d rounds: power %.1f%%", 100*test.noise, test.rounds, 100*got)
		if math.Abs(got-test.want) > 0.01 {
			t.Errorf("%.0f%% of the recorded noise, %d rounds: power %.1f%%, want %.1f%%",
				100*test.noise, test.rounds, 100*got, 100*test.want)
		}
	}
}
