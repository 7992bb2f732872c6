package result

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ninety makes an open loop of which the load says 90%, at 9,000 arrivals a second, and a closed
// loop that did so many calls a second in the rounds.
func ninety(t *testing.T, did ...float64) (open, closed []Line) {
	closed, open = rounds(t, did...), rounds(t, did...)
	for i := range did {
		c := &closed[i].Case
		c.Scenario, c.Calls, c.Concurrency, c.Connections = "unary", 0, 64, 1
		open[i].Case = *c
		open[i].Case.Scenario, open[i].Case.Load, open[i].Case.Rate = "open", 0.9, 9000
		open[i].Metrics[0].Value = 8000 // less than arrives
	}
	return open, closed
}

func TestClosedLoopContradictsALoad(t *testing.T) {
	six := func(did float64) []float64 { return []float64{did, did, did, did, did, did} }
	for _, test := range []struct {
		name   string
		did    []float64
		change func(open, closed *Line)
		share  float64 // 0 for none
		want   bool    // marked
	}{
		{"right", six(10_000), nil, 0.9, false},
		{"106%", six(9000 / 1.06), nil, 1.06, true},
		{"68%", six(9000 / 0.68), nil, 0.68, true},
		{"98%: a tenth of 90 is 9", six(9000 / 0.98), nil, 0.98, false},
		{"100%", six(9000), nil, 1, true},
		{"82%", six(9000 / 0.82), nil, 0.82, false},
		{"80%", six(9000 / 0.8), nil, 0.8, true},
		{"106% in all rounds but one: the interval holds 90", append(six(9000 / 1.06)[1:], 10_000), nil, 1.06, false},
		{"too few rounds for an interval", six(9000)[1:], nil, 1, false},

		{"a closed loop that failed", six(9000), func(_, c *Line) { c.Errors = map[string]int64{"internal": 1} }, 0, false},
		{"another client's", six(9000), func(_, c *Line) { c.Case.Client = "floor" }, 0, false},
		{"another server's", six(9000), func(_, c *Line) { c.Case.Replica = "control" }, 0, false},
		{"with fewer calls in flight", six(9000), func(_, c *Line) { c.Case.Concurrency = 16 }, 0, false},
		{"of larger calls", six(9000), func(_, c *Line) { c.Case.Payload = 1024 }, 0, false},
		{"over more connections", six(9000), func(_, c *Line) { c.Case.Connections, c.Opened, c.Accepted = 2, 2, nil }, 0, false},
		{"over as many as it needs", six(9000), func(o, c *Line) {
			o.Case.Connections, c.Case.Connections, c.Opened, c.Accepted = 0, 64, 64, nil
		}, 1, true},
		{"of a fixed number of calls", six(9000), func(_, c *Line) { c.Case.Calls = 2000 }, 0, false},
		{"of another run", six(9000), func(_, c *Line) { c.Run = "r2" }, 0, false},
		{"a rate without a load", six(9000), func(o, _ *Line) { o.Case.Load = 0 }, 0, false},
		{"a line that marks itself", six(10_000), func(o, _ *Line) { o.Verdicts = []Verdict{LoadDiffers} }, 0.9, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			open, closed := ninety(t, test.did...)
			for i := range open {
				if test.change != nil {
					test.change(&open[i], &closed[i])
				}
			}
			all, err := Summarize(slices.Concat(closed, open))
			if err != nil {
				t.Fatal(err)
			}
			s := all[slices.IndexFunc(all, func(s Summary) bool { return s.Case.Rate > 0 })]
			var share float64
			if s.Share != nil {
				share = s.Share.Median
			}
			if diff := cmp.Diff(test.share, share, cmp.Comparer(nearly)); diff != "" {
				t.Errorf("true share (-want +got):\n%s", diff)
			}
			for _, s := range all {
				if got := slices.Contains(s.Verdicts, LoadDiffers); got != (test.want && s.Case.Rate > 0) {
					t.Errorf("%s has the verdicts %v", s.Case.Scenario, s.Verdicts)
				}
			}
		})
	}
}

func nearly(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Only the rounds of the open loop count.
func TestShareIsOfTheSameRounds(t *testing.T) {
	open, closed := ninety(t, 9000, 9000, 9000, 9000, 9000, 9000, 1000, 1000)
	all, err := Summarize(slices.Concat(closed, open[:6]))
	if err != nil {
		t.Fatal(err)
	}
	want := Estimate{N: 6, Median: 1, Low: 1, High: 1, HasInterval: true}
	if got := all[0].Share; got == nil || *got != want {
		t.Errorf("share %+v, want %+v", got, want)
	}
}

// TestNoiseContradictsNoLoad has closed loops vary as recorded. A load that is right to within the
// tolerance is marked at most as often as a 95% interval is wrong on one side, even at its edge, and
// a load that is far off is seen the more often the more rounds there are.
func TestNoiseContradictsNoLoad(t *testing.T) {
	const trials = 5_000
	recorded, random := readRecorded(t), rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		off         float64 // the rate, over that of the load
		rounds      int
		least, most float64 // of the trials
	}{
		{1, 10, 0, 0.01}, {1, 60, 0, 0.001},
		{1.10, 10, 0, 0.025}, {1.10, 60, 0, 0.025}, {0.90, 10, 0, 0.025}, {0.90, 60, 0, 0.025},
		{1.25, 60, 0.7, 1}, {0.75, 60, 0.7, 1},
	} {
		marked := 0
		for range trials {
			if contradictsLoad(EstimateMedian(recorded.shares(random, test.rounds, 0.9*test.off)), 0.9) {
				marked++
			}
		}
		got := float64(marked) / trials
		t.Logf("%.0f%% of the load, %d rounds: %.2f%% marked", 100*test.off, test.rounds, 100*got)
		if got < test.least || got > test.most {
			t.Errorf("%.0f%% of the load, %d rounds: %.2f%% marked, want %.1f to %.1f%%",
				100*test.off, test.rounds, 100*got, 100*test.least, 100*test.most)
		}
	}
}

// shares draws rounds of one of the cases. Of its median, the rate is the true share given.
func (r recorded) shares(random *rand.Rand, rounds int, share float64) []float64 {
	var all, drawn []float64
	for _, pair := range r.Cases[random.IntN(len(r.Cases))].Rounds {
		all = append(all, pair[0], pair[1])
	}
	rate := share * EstimateMedian(all).Median
	for range rounds {
		drawn = append(drawn, rate/all[random.IntN(len(all))])
	}
	return drawn
}
