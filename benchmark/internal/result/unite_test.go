package result

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shardsFor has one line of each of so many workers, as they write them: 500 calls of
// 2 ms each in 250 ms, 4 in flight.
func shardsFor(t *testing.T, workers int) []Line {
	t.Helper()
	var shards []Line
	for index := range workers {
		l := goodLine(t)
		l.Case.Scenario, l.Case.Calls, l.Case.Connections = "unary", 0, 1
		l.Plan.SliceNS, l.WindowNS, l.Calls, l.Sent, l.Received = 250e6, 250e6, 500, 500, 500
		l.Histograms = []Histogram{histogramOf(t, Latency, 500, time.Duration(index+1)*time.Millisecond)}
		l.Metrics[0].Value = 2000
		l.Accepted = nil
		l.Worker = &Worker{Index: index, Count: workers, Host: "h" + string(rune('0'+index/2)), StartUS: 1_000_000, OffsetNS: -1000, RoundTripNS: 5000}
		if index == 0 {
			l.Worker.Accepted = new(int64(workers))
		}
		shards = append(shards, l)
	}
	return shards
}

func TestUniteAddsUp(t *testing.T) {
	lines, err := Unite(shardsFor(t, 4))
	if err != nil {
		t.Fatal(err)
	}
	l := lines[0]
	want := &Workers{Count: 4, Shards: 4, Hosts: 2, OffsetNS: 1000, RoundTripNS: 5000}
	if diff := cmp.Diff(want, l.Workers); diff != "" {
		t.Errorf("workers (-want +got):\n%s", diff)
	}
	if l.Case.Concurrency != 16 || l.Case.Connections != 4 || l.Calls != 2000 || l.Metrics[0].Value != 8000 || l.WindowNS != 250e6 || *l.Accepted != 4 {
		t.Errorf("concurrency %d, %d connections of which %d accepted, %d calls, %v in %d ns",
			l.Case.Concurrency, l.Case.Connections, *l.Accepted, l.Calls, l.Metrics[0], l.WindowNS)
	}
	// A quarter each took 1, 2, 3 and 4 ms: the median of all is that of no part, and no
	// average of theirs.
	if h := l.Histograms[0]; h.Count != 2000 || *h.P50NS/1e6 != 2 || *h.P90NS/1e6 != 4 {
		t.Errorf("%d samples, p50 %d, p90 %d", h.Count, *h.P50NS, *h.P90NS)
	}
	var text bytes.Buffer
	if err := WriteLine(&text, l); err != nil {
		t.Error(err)
	}
	if back, err := Read(&text, "merged"); err != nil || len(back) != 1 {
		t.Errorf("read %d lines, %v", len(back), err)
	}
}

// The order of the shards, and of the lines in them, changes nothing.
func TestUniteIsPure(t *testing.T) {
	shards := shardsFor(t, 3)
	for _, l := range slices.Clone(shards) {
		l.Round, l.Order = 2, 1
		shards = append(shards, l)
	}
	want, err := Unite(shards)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		rand.Shuffle(len(shards), func(i, j int) { shards[i], shards[j] = shards[j], shards[i] })
		before := slices.Clone(shards)
		got, err := Unite(shards)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("in another order (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(before, shards); diff != "" {
			t.Fatalf("the shards were changed (-before +after):\n%s", diff)
		}
	}
}

func TestUniteJudges(t *testing.T) {
	tests := []struct {
		name   string
		change func([]Line) []Line
		want   Verdict
		says   string
	}{
		{"a shard is missing", func(s []Line) []Line { return s[:2] }, Incomplete, "worker 2 is missing"},
		{"a shard is there twice", func(s []Line) []Line { return append(s, s[1]) }, Incomplete, "worker 1 is there twice"},
		{"another plan", func(s []Line) []Line { s[2].Plan.SliceNS = 1; return s }, Incomplete, "worker 2 has another plan"},
		{"another build", func(s []Line) []Line { s[2].Environment.Commit = "x"; return s }, Incomplete, "worker 2 has another build"},
		{"another start", func(s []Line) []Line { s[2].Worker.StartUS += 26_000; return s }, Incomplete, "worker 2 began 26000 µs after worker 0"},
		{"a clock that is off", func(s []Line) []Line { s[1].Worker.OffsetNS = -2e9; return s }, ClocksApart, ""},
		{"a clock of which little is known", func(s []Line) []Line { s[1].Worker.RoundTripNS = 60e6; return s }, ClocksApart, ""},
		{"a worker that was told late", func(s []Line) []Line { s[1].Worker.LateNS = 26e6; return s }, ClocksApart, ""},
		{"a worker that was lost", func(s []Line) []Line { s[0].Worker.Lost = []int{2}; return s[:2] }, WorkerLost, ""},
		{"a call that failed", func(s []Line) []Line { s[1].Errors = map[string]int64{"internal": 1}; return s }, Errors, ""},
		{"a connection too many", func(s []Line) []Line { *s[0].Worker.Accepted++; return s }, ConnectionsDiffer, ""},
		{"a client at its limit", func(s []Line) []Line {
			s[1].Client = &Usage{UserNS: 19e8, WallNS: 1e9}
			return s
		}, ClientSaturated, ""},
		{"one that was interrupted", func(s []Line) []Line { s[2].Verdicts = []Verdict{Partial}; return s }, Partial, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines, err := Unite(tt.change(shardsFor(t, 3)))
			if err != nil {
				t.Fatal(err)
			}
			l := lines[0]
			if !slices.Contains(l.Verdicts, tt.want) || !strings.Contains(l.FirstError, tt.says) {
				t.Errorf("verdicts %v, %q; want %s, %q", l.Verdicts, l.FirstError, tt.want, tt.says)
			}
			if again := Judge(&l); !slices.Equal(again, l.Verdicts) {
				t.Errorf("judged again: %v, before %v", again, l.Verdicts)
			}
		})
	}
	good, err := Unite(shardsFor(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		if slices.Contains(good[0].Verdicts, tt.want) {
			t.Errorf("%s: good shards have the verdict %s as well", tt.name, tt.want)
		}
	}
}

func TestUniteRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func([]Line) []Line
		want   string
	}{
		{"nothing", func([]Line) []Line { return nil }, "there is no line"},
		{"no shard", func(s []Line) []Line { s[1].Worker = nil; return s }, "is no shard"},
		{"two runs", func(s []Line) []Line { s[1].Run = "r2"; return s }, "of two runs, r1 and r2"},
		{"two counts", func(s []Line) []Line { s[1].Worker.Count = 4; return s }, "is one of 3, and worker 1 one of 4"},
		{"other bounds", func(s []Line) []Line { s[1].Histograms[0], _ = NewHistogram(Latency, newDistribution()); return s }, "other bounds"},
		{"an unknown metric", func(s []Line) []Line { s[0].Metrics[0] = Metric{"height", "m", Higher, 3}; return s }, "nobody knows how height in m adds up"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Unite(tt.change(shardsFor(t, 3))); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
