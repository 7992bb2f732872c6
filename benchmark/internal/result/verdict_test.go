package result

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// thinOnly is what a good line of 2,000 calls has: its p99 stays blank.
var thinOnly = []Verdict{ThinPercentile}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*testing.T, *Line)
		want   []Verdict
	}{
		{"a good line", func(*testing.T, *Line) {}, thinOnly},

		{"one call failed", func(_ *testing.T, l *Line) { l.Errors = map[string]int64{"unavailable": 1} }, []Verdict{Errors, ThinPercentile}},
		{"an error counted 0 times", func(_ *testing.T, l *Line) { l.Errors = map[string]int64{"unavailable": 0} }, thinOnly},
		{"one wrong reply", func(_ *testing.T, l *Line) { l.Errors = map[string]int64{WrongReplyCode: 1} }, []Verdict{WrongReply, ThinPercentile}},
		{"both", func(_ *testing.T, l *Line) { l.Errors = map[string]int64{WrongReplyCode: 1, "internal": 2} },
			[]Verdict{Errors, WrongReply, ThinPercentile}},

		{"partial stays", func(_ *testing.T, l *Line) { l.Verdicts = []Verdict{Partial} }, []Verdict{Partial, ThinPercentile}},
		{"partial, so nothing is missing", func(_ *testing.T, l *Line) {
			l.Verdicts, l.Case.Connections, l.Opened = []Verdict{Partial}, 1, 0
			l.Calls, l.Metrics, l.Histograms = 0, nil, nil
		}, []Verdict{Partial}},
		{"other verdicts are found anew", func(_ *testing.T, l *Line) { l.Verdicts = []Verdict{Errors} }, thinOnly},

		{"one success", func(_ *testing.T, l *Line) { l.Calls = 1 }, thinOnly},
		{"no success", func(_ *testing.T, l *Line) { l.Calls, l.Metrics, l.Histograms = 0, nil, nil }, []Verdict{NoSuccess}},

		{"opened more than accepted", func(_ *testing.T, l *Line) { l.Opened = 2 }, []Verdict{ConnectionsDiffer, ThinPercentile}},
		{"opened fewer than accepted", func(_ *testing.T, l *Line) { l.Opened = 0 }, []Verdict{ConnectionsDiffer, ThinPercentile}},
		{"the server cannot say", func(_ *testing.T, l *Line) { l.Opened, l.Accepted = 2, nil }, thinOnly},
		{"as many as asked for", func(_ *testing.T, l *Line) { l.Case.Connections = 1 }, thinOnly},
		{"fewer than asked for", func(_ *testing.T, l *Line) { l.Case.Connections = 2 }, []Verdict{ConnectionsDiffer, ThinPercentile}},

		{"3.61 calls in flight of 4", littles(1805*time.Microsecond, 2000), thinOnly},
		{"3.58 in flight", littles(1790*time.Microsecond, 2000), []Verdict{LittlesLaw, ThinPercentile}},
		{"4.39 in flight", littles(2195*time.Microsecond, 2000), thinOnly},
		{"4.42 in flight", littles(2210*time.Microsecond, 2000), []Verdict{LittlesLaw, ThinPercentile}},
		{"enough calls to judge", littles(time.Millisecond, 80), []Verdict{LittlesLaw, ThinPercentile}},
		{"too few calls to judge", littles(time.Millisecond, 79), thinOnly},
		{"open loop", func(t *testing.T, l *Line) { littles(time.Millisecond, 2000)(t, l); l.Case.Rate = 2000 }, thinOnly},
		{"stream", func(t *testing.T, l *Line) { littles(time.Millisecond, 2000)(t, l); l.Case.Mode = "bidi" }, thinOnly},
		{"no latency", func(_ *testing.T, l *Line) { l.Histograms = nil }, nil},

		{"1% late", openLoop(0.01, 0), thinOnly},
		{"more than 1% late", openLoop(0.0101, 0), []Verdict{BehindSchedule, ThinPercentile}},
		{"one call unsent", openLoop(0, 1), []Verdict{BehindSchedule, ThinPercentile}},
		{"late without a schedule", func(t *testing.T, l *Line) { openLoop(1, 1)(t, l); l.Case.Rate = 0 }, thinOnly},

		{"the client used 81% of its cores", saturated(1.62), []Verdict{ClientSaturated, ThinPercentile}},
		{"79% of them", saturated(1.58), thinOnly},
		{"81% of shared cores", func(t *testing.T, l *Line) { saturated(1.62)(t, l); l.Environment.Pinned = false }, thinOnly},
		{"81%, and nothing is called", func(t *testing.T, l *Line) { saturated(1.62)(t, l); l.Case.Mode = "" }, thinOnly},
		{"it is not known how long it took", func(t *testing.T, l *Line) { saturated(1.62)(t, l); l.Client.WallNS = 0 }, thinOnly},

		{"100 samples beyond p99.99", percentiles(1_000_000), nil},
		{"99.9999 beyond it", percentiles(999_999), thinOnly},
	} {
		t.Run(test.name, func(t *testing.T) {
			line := goodLine(t)
			test.change(t, &line)
			before := line
			if diff := cmp.Diff(test.want, Judge(&line)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(before, line); diff != "" {
				t.Errorf("the line was changed:\n%s", diff)
			}
		})
	}
}

// littles makes calls of one latency, at 2,000 a second and 4 in flight.
func littles(latency time.Duration, calls int64) func(*testing.T, *Line) {
	return func(t *testing.T, l *Line) {
		l.Calls, l.WindowNS = calls, calls*500_000
		l.Histograms = []Histogram{histogramOf(t, Latency, calls, latency)}
	}
}

// openLoop makes calls arrive at the rate at which they are answered.
func openLoop(late, unsent float64) func(*testing.T, *Line) {
	return func(_ *testing.T, l *Line) {
		l.Case.Rate = 2000
		l.Metrics = append(l.Metrics, Metric{Late, "fraction", Lower, late}, Metric{Unsent, "calls", Lower, unsent})
	}
}

// percentiles makes a stream's histogram, so that Little's law stays out of it.
func percentiles(count int64) func(*testing.T, *Line) {
	return func(t *testing.T, l *Line) {
		l.Histograms = []Histogram{histogramOf(t, "gap", count, time.Millisecond)}
	}
}

func TestDisqualifies(t *testing.T) {
	disqualifying := map[Verdict]bool{Errors: true, WrongReply: true, Partial: true, NoSuccess: true, Incomplete: true}
	for _, v := range Verdicts {
		if got := Disqualified([]Verdict{v}); got != disqualifying[v] {
			t.Errorf("%s disqualifies: %v, want %v", v, got, disqualifying[v])
		}
	}
	if Disqualified(nil) {
		t.Error("no verdict disqualifies")
	}
}

// saturated has the client use so many of its two cores.
func saturated(cores float64) func(*testing.T, *Line) {
	return func(_ *testing.T, l *Line) {
		l.Environment.Pinned = true
		l.Client = &Usage{UserNS: int64(cores * 1e9), SystemNS: int64(cores * 1e9), WallNS: 2e9}
	}
}
