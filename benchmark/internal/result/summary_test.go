package result

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rounds makes a line of the good case for each rate.
func rounds(t *testing.T, rates ...float64) []Line {
	lines := make([]Line, len(rates))
	for i, rate := range rates {
		lines[i] = goodLine(t)
		lines[i].Round = i + 1
		lines[i].Metrics[0].Value = rate
	}
	return lines
}

func TestSummarize(t *testing.T) {
	lines := rounds(t, 3000, 1000, 2000)
	lines[1].Opened, lines[1].Accepted = 2, new(int64(2))
	slices.Reverse(lines) // the order of the lines says nothing
	got, err := Summarize(lines)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Fatalf("%d summaries, want 1", len(got))
	}
	s := got[0]
	rate, ok := s.Metric("rate")
	if want := (Estimate{N: 3, Median: 2000, Low: 1000, High: 3000}); !ok || rate.Estimate != want {
		t.Errorf("rate is %+v, want %+v", rate.Estimate, want)
	}
	if s.Rounds != 3 || s.Calls != 6000 || s.WindowNS != 3e9 {
		t.Errorf("%d rounds, %d calls, %d ns, want 3, 6000, 3e9", s.Rounds, s.Calls, s.WindowNS)
	}
	if want := (Count{Max: 2, Varies: true}); s.Opened != want || *s.Accepted != want {
		t.Errorf("opened %+v, accepted %+v, want %+v", s.Opened, *s.Accepted, want)
	}
	if s.Histograms[0].Count != 6000 {
		t.Errorf("%d samples, want 6000", s.Histograms[0].Count)
	}
}

func TestSummarizeVerdicts(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*testing.T, []Line)
		want   []Verdict
	}{
		{"a good case", func(*testing.T, []Line) {}, thinOnly},
		{"one bad round taints the case", func(_ *testing.T, l []Line) { l[1].Errors = map[string]int64{"internal": 1} },
			[]Verdict{Errors, ThinPercentile}},
		{"a verdict that the line only states", func(_ *testing.T, l []Line) { l[1].Verdicts = []Verdict{Partial} },
			[]Verdict{Partial, ThinPercentile}},
		{"1 s in all", func(_ *testing.T, l []Line) {
			l[0].WindowNS, l[1].WindowNS = 4e8, 6e8
			l[1].Case.Mode, l[0].Case.Mode = "bidi", "bidi"
		}, thinOnly},
		{"just below 1 s", func(_ *testing.T, l []Line) {
			l[0].WindowNS, l[1].WindowNS = 4e8, 6e8-1
			l[1].Case.Mode, l[0].Case.Mode = "bidi", "bidi"
		}, []Verdict{ThinPercentile, WindowShort}},
		{"one slice of many in which calls stood still", func(t *testing.T, l []Line) { littles(1700*time.Microsecond, 2000)(t, &l[1]) }, thinOnly},
		{"slices in which they stood still on the whole", func(t *testing.T, l []Line) {
			littles(1700*time.Microsecond, 2000)(t, &l[0])
			littles(1800*time.Microsecond, 2000)(t, &l[1])
		}, []Verdict{LittlesLaw, ThinPercentile}},
		{"slices with too few calls to judge, however many there are", func(t *testing.T, l []Line) {
			littles(time.Millisecond, 79)(t, &l[0])
			littles(time.Millisecond, 79)(t, &l[1])
		}, []Verdict{ThinPercentile, WindowShort}},
		{"one slice of many in which calls came late", func(t *testing.T, l []Line) { lateRounds(t, l, 0.019, 0) }, thinOnly},
		{"slices in which they came late on the whole", func(t *testing.T, l []Line) { lateRounds(t, l, 0.015, 0.006) },
			[]Verdict{BehindSchedule, ThinPercentile}},
		{"rounds that are thin alone and not together", func(t *testing.T, l []Line) {
			for i := range l {
				l[i].Case.Mode = "bidi"
				l[i].Histograms = []Histogram{histogramOf(t, "gap", 500_000, time.Millisecond)}
			}
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := rounds(t, 1000, 1000)
			test.change(t, lines)
			got, err := Summarize(lines)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got[0].Verdicts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// lateRounds makes the rounds those of an open loop, with fractions of late calls.
func lateRounds(t *testing.T, lines []Line, late ...float64) {
	for i := range lines {
		openLoop(late[i], 0)(t, &lines[i])
	}
}

func TestSummarizeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Line)
		want   string
	}{
		{"host", func(l *Line) { l.Environment.Host = "x" }, `environment.host is "abc" in round 1 of run r1 and "x" in round 2`},
		{"cpu", func(l *Line) { l.Environment.CPU = "x" }, "environment.cpu "},
		{"cpus", func(l *Line) { l.Environment.CPUs = 7 }, "environment.cpus "},
		{"go", func(l *Line) { l.Environment.Go = "x" }, "environment.go "},
		{"build", func(l *Line) { l.Environment.Build = "x" }, "environment.build "},
		{"kernel", func(l *Line) { l.Environment.Kernel = "x" }, "environment.kernel "},
		{"commit", func(l *Line) { l.Environment.Commit = "x" }, "environment.commit "},
		{"gomaxprocs", func(l *Line) { l.Environment.GoMaxProcs = 7 }, "environment.gomaxprocs "},
		{"pinned", func(l *Line) { l.Environment.Pinned = true }, "environment.pinned "},
		{"schema", func(l *Line) { l.Schema = 2 }, "schema "},
		{"language", func(l *Line) { l.Case.Language = "rust" }, "case.language"},
		{"libraries", func(l *Line) { l.Case.Libraries = []string{"x v2"} }, "case.libraries"},
		{"a round twice", func(l *Line) { l.Round = 1 }, "round 1 of run r1 is there twice"},
		{"units", func(l *Line) { l.Metrics[0].Unit = "MB/s" }, `metric "rate"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := rounds(t, 1, 1)
			test.change(&lines[1])
			if _, err := Summarize(lines); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	if _, err := Summarize(nil); err == nil {
		t.Error("no lines: want an error")
	}
}

// A run that was resumed has two commands; that changes nothing that is measured.
func TestSummarizeTakesAnotherCommand(t *testing.T) {
	lines := rounds(t, 1, 1)
	lines[1].Environment.Command = "go run ./benchmark --resume"
	if _, err := Summarize(lines); err != nil {
		t.Error(err)
	}
}

// Only rounds that both cases have are pairs.
func TestCompareMetricsPairsByRound(t *testing.T) {
	fast, slow := rounds(t, 200, 400, 999), rounds(t, 100, 200)
	for i := range slow {
		slow[i].Case.Stack = "slow/grpc/h2c"
	}
	sums, err := Summarize(slices.Concat(fast, slow))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := sums[0].Metric("rate")
	b, _ := sums[1].Metric("rate")
	ratio, ok := CompareMetrics(a, b)
	if !ok || ratio.N != 2 || ratio.Low != 2 || ratio.High != 2 || ratio.Claimed {
		t.Errorf("got %+v, want 2 over 2 rounds, not claimed", ratio)
	}
}
