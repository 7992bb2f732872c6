package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// runOf makes rounds of a run of its own.
func runOf(t *testing.T, id string, rates ...float64) []Line {
	t.Helper()
	lines := rounds(t, rates...)
	for i := range lines {
		lines[i].Run = id
	}
	return lines
}

var (
	slower = []float64{100, 101, 102, 103, 104, 105}
	faster = []float64{110, 111, 112, 113, 114, 115}
)

// runsOf makes runs of two rounds each, of which the rates are the medians.
func runsOf(t *testing.T, id string, rates ...float64) []Line {
	t.Helper()
	var lines []Line
	for i, rate := range rates {
		lines = append(lines, runOf(t, fmt.Sprint(id, i), rate-1, rate+1)...)
	}
	return lines
}

func TestCompareAcross(t *testing.T) {
	old, fresh := runOf(t, "r1", 1), runOf(t, "r2", 1)
	old[0].Case.Concurrency, fresh[0].Case.Concurrency = 1, 64
	older, newer := slices.Concat(runsOf(t, "r1", slower...), old), slices.Concat(runsOf(t, "r2", faster...), fresh)
	for i := range newer { // what comparisons are about
		newer[i].Environment.Commit, newer[i].Environment.Command = "other", "go run ./benchmark --rounds 6"
		newer[i].Case.Libraries = []string{"google.golang.org/grpc v1.86.0", "new v1"}
	}
	got, err := CompareAcross(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Cases) != 1 || len(got.Cases[0].Metrics) != 2 {
		t.Fatalf("got %+v, want the rate and the p50 of one case", got.Cases)
	}
	rate := got.Cases[0].Metrics[0]
	if rate.Old.Median != 102.5 || rate.New.Median != 112.5 || rate.Tie() || got.Figures() != 2 {
		t.Errorf("got %+v (%d figures), want 102.5 and 112.5, told apart", rate, got.Figures())
	}
	if !rate.ByRun || rate.Change.Old != 6 || rate.New.N != 6 || rate.New.High != 115 {
		t.Errorf("got %+v, want six values on each side, one of each run", rate)
	}
	want := []string{"google.golang.org/grpc v1.85.0 → v1.86.0", "new none → v1"}
	if diff := cmp.Diff(want, got.Cases[0].ChangedLibraries()); diff != "" {
		t.Errorf("libraries, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]Case{old[0].Case}, got.OnlyOld); diff != "" {
		t.Errorf("only old, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]Case{newer[len(newer)-1].Case}, got.OnlyNew); diff != "" {
		t.Errorf("only new, -want +got:\n%s", diff)
	}
}

// The rounds of one run have in common what the run had, so that of one run on each
// side nothing is claimed, however many rounds it has and however far apart they are.
func TestOneRunOnEachSideClaimsNoDifferenceInTime(t *testing.T) {
	for _, test := range []struct {
		name                     string
		older, newer             []Line
		claimed, alsoAllocations bool
	}{
		{"one run of six rounds", allocating(t, "r1", "1", slower...), allocating(t, "r2", "1", faster...), false, true},
		{"three runs", runsOf(t, "r1", slower[:3]...), runsOf(t, "r2", faster[:3]...), false, false},
		{"four runs", runsOf(t, "r1", slower[:4]...), runsOf(t, "r2", faster[:4]...), true, false},
		{"four runs and one", runsOf(t, "r1", slower[:4]...), runOf(t, "r2", faster...), false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := CompareAcross(test.older, test.newer)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range got.Cases[0].Metrics {
				want := test.claimed || test.alsoAllocations && m.New.Name == "allocations_per_call"
				if m.Claimed != want || m.ByRun == deterministic(m.New.Name) {
					t.Errorf("%s: claimed %t, want %t; compared by runs %t", m.New.Name, m.Claimed, want, m.ByRun)
				}
			}
		})
	}
}

func TestCompareAcrossRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Line)
		want   string
	}{
		{"host", func(l *Line) { l.Environment.Host = "x" }, `environment.host is "abc" in the old ones and "x" in the new ones`},
		{"cpu", func(l *Line) { l.Environment.CPU = "x" }, `environment.cpu is "Some CPU" in the old ones and "x"`},
		{"cpus", func(l *Line) { l.Environment.CPUs = 7 }, "environment.cpus is 2 in the old ones and 7"},
		{"gomaxprocs", func(l *Line) { l.Environment.GoMaxProcs = 7 }, "environment.gomaxprocs is 2 "},
		{"kernel", func(l *Line) { l.Environment.Kernel = "x" }, "environment.kernel "},
		{"go", func(l *Line) { l.Environment.Go = "x" }, `environment.go is "go1.26.8" `},
		{"build", func(l *Line) { l.Environment.Build = "-race" }, `environment.build is "" in the old ones and "-race"`},
		{"pinned", func(l *Line) { l.Environment.Pinned = true }, "environment.pinned is false "},
		{"governor", func(l *Line) { l.Environment.Governor = "x" }, "environment.governor "},
		{"variables", func(l *Line) { l.Environment.Variables = map[string]string{"GOGC": "50"} },
			`environment.variables is "" in the old ones and "GOGC=50" in the new ones`},
		{"virtual", func(l *Line) { l.Environment.Virtual = true }, "environment.virtual "},
		{"schema", func(l *Line) { l.Schema = 2 }, "schema is 1 in the old ones and 2"},
		{"language", func(l *Line) { l.Case.Language = "rust" }, "case.language of "},
		{"calls", func(l *Line) { l.Case.Calls = 7 }, "case.calls_asked of grpc-go/grpc/h2c in family is 2000 in the old ones and 7"},
		{"messages", func(l *Line) { l.Case.Messages = 7 }, "case.messages_per_call of grpc-go/grpc/h2c in family is 1 in the old ones and 7"},
		{"rate", func(l *Line) { l.Case.Rate = 7 }, "case.rate_per_s of grpc-go/grpc/h2c in family is 0 in the old ones and 7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			newer := runOf(t, "r2", 1, 1)
			for i := range newer {
				test.change(&newer[i])
			}
			if _, err := CompareAcross(rounds(t, 1, 1), newer); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	for name, sides := range map[string][2][]Line{"old": {nil, rounds(t, 1)}, "new": {rounds(t, 1), nil}} {
		if _, err := CompareAcross(sides[0], sides[1]); err == nil || !strings.Contains(err.Error(), "the "+name+" results") {
			t.Errorf("nothing on the %s side: error %v, want one that names it", name, err)
		}
	}
}

// A share of the capacity is the same case at whatever rate that came to.
func TestCompareAcrossByShareOfCapacity(t *testing.T) {
	open := func(id string, rate float64) []Line {
		lines := runOf(t, id, 1, 1)
		for i := range lines {
			lines[i].Case.Load, lines[i].Case.Rate = 0.5, rate
		}
		return lines
	}
	got, err := CompareAcross(open("r1", 1000), open("r2", 1100))
	if err != nil || len(got.Cases) != 1 {
		t.Errorf("error %v, %d cases, want one", err, len(got.Cases))
	}
	both := slices.Concat(open("r1", 1000), open("r3", 900))
	if _, err := CompareAcross(both, open("r2", 1100)); err == nil || !strings.Contains(err.Error(), "give one run") {
		t.Errorf("two rates on one side: error %v, want one that says what works", err)
	}
}

func TestCompareAcrossWithoutFigures(t *testing.T) {
	newer := runOf(t, "r2", faster...)
	newer[2].Errors = map[string]int64{"internal": 1}
	got, err := CompareAcross(runOf(t, "r1", slower...), newer)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Cases[0].Disqualified() || got.Cases[0].Metrics != nil {
		t.Errorf("got %+v, want a case without figures", got.Cases[0])
	}
}

// Latency is compared by each round's percentiles, and by none that a round lacks.
func TestCompareAcrossTimes(t *testing.T) {
	older, newer := runsOf(t, "r1", slower...), runsOf(t, "r2", slower...)
	for i := range newer { // p50 needs 200 samples, p99 10,000
		older[i].Histograms = []Histogram{histogramOf(t, Latency, 20_000, 10*time.Millisecond), histogramOf(t, "service", 20_000, time.Millisecond)}
		newer[i].Histograms = []Histogram{histogramOf(t, Latency, 20_000, 20*time.Millisecond), histogramOf(t, "gap", 20_000, time.Millisecond)}
	}
	newer[3].Histograms[0] = histogramOf(t, Latency, 9_999, 20*time.Millisecond)
	got, err := CompareAcross(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range got.Cases[0].Metrics {
		names = append(names, m.New.Name)
	}
	if diff := cmp.Diff([]string{"rate", "latency_p50"}, names); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	p50 := got.Cases[0].Metrics[1]
	if math.Abs(p50.Ratio-2) > 0.01 || p50.Tie() || p50.New.Unit != "ns" || p50.New.Better != Lower {
		t.Errorf("got %+v, want twice the time", p50)
	}
}

// inTurns makes a run in which two versions took turns, of rates that a round has in common
// and a version that does share times of them.
func inTurns(t *testing.T, id string, share float64) (older, newer []Line) {
	t.Helper()
	common := []float64{100, 300, 120, 900, 80, 200, 150}
	var faster []float64
	for i, rate := range common {
		faster = append(faster, rate*share*(1+0.001*float64(i%3)))
	}
	older, newer = runOf(t, id, common...), runOf(t, id, faster...)
	for i := range older {
		older[i].Environment.Commit, newer[i].Environment.Commit = "abc", "def-dirty"
		older[i].Environment.Program, newer[i].Environment.Program = "1", "2"
		older[i].Plan, newer[i].Plan = &Plan{Rounds: 7, Against: "def-dirty 2"}, &Plan{Rounds: 7, Against: "abc 1"}
	}
	return older, newer
}

// Two versions that took turns are compared round by round, in which all that a round has
// in common drops out; if one of the files is of another run, by runs.
func TestCompareAcrossInTurns(t *testing.T) {
	older, newer := inTurns(t, "r1", 1.05)
	again, newerAgain := inTurns(t, "r2", 1.05)
	for _, test := range []struct {
		name         string
		older, newer []Line
		paired       bool
		values       int
	}{
		{"one run", older, newer, true, 7},
		{"two runs", slices.Concat(older, again), slices.Concat(newerAgain, newer), true, 14},
		{"sides of two runs", older, newerAgain, false, 1},
		{"a run of which one side is missing", slices.Concat(older, again), newer, false, 1},
		{"both sides of the same version", older, slices.Concat(older), false, 1},
		{"no turns", runOf(t, "r1", 1, 2, 3, 4, 5, 6), runOf(t, "r1", 1, 2, 3, 4, 5, 6), false, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := CompareAcross(test.older, test.newer)
			if err != nil {
				t.Fatal(err)
			}
			rate := got.Cases[0].Metrics[0]
			called := rate.Claimed && rate.Low > 1.05 && rate.High < 1.053
			if got.Paired != test.paired || rate.New.Name != "rate" || called != test.paired || rate.Change.New != test.values || rate.ByRun == test.paired {
				t.Errorf("paired %t, %+v, want paired %t, claimed as 5%% only then", got.Paired, rate.Change, test.paired)
			}
		})
	}
	if _, err := Summarize(slices.Concat(older, newerAgain)); err == nil || !strings.Contains(err.Error(), "environment.commit") {
		t.Errorf("both versions in one table: error %v", err)
	}
	for i := range newerAgain {
		newerAgain[i].Environment.Commit = "abc"
	}
	if _, err := Summarize(slices.Concat(older, newerAgain)); err == nil || !strings.Contains(err.Error(), "environment.program") {
		t.Errorf("two builds of one commit in one table: error %v", err)
	}
}
