package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
)

func figureNames(r Report) []string {
	var names []string
	for _, f := range r.Figures() {
		names = append(names, f.Name)
	}
	return names
}

func figureNamed(t *testing.T, r Report, name string) plot.Figure {
	t.Helper()
	for _, f := range r.Figures() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no figure %s among %s", name, strings.Join(figureNames(r), ", "))
	return plot.Figure{}
}

func lineNamed(t *testing.T, f plot.Figure, label string) plot.Line {
	t.Helper()
	i := slices.IndexFunc(f.Lines, func(l plot.Line) bool { return l.Label == label })
	if i < 0 {
		t.Fatalf("%s has no line %s", f.Name, label)
	}
	return f.Lines[i]
}

// READMEs link to these names.
func TestFigures(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []result.Line
		want  []string
	}{
		{"six-rounds", readRun(t, "six-rounds"), []string{
			"ranking-family", "family-rate-16-b", "family-large-2-mib", "family-bidi-1-kib", "codec-throughput-marshal", "codec-throughput-unmarshal",
		}},
		{"timed", madeRun(t, 2), []string{
			"ranking-unary", "unary-rate-16-b", "unary-rate-1-kib", "unary-rate-16-kib",
			"unary-latency-16-b-concurrency-1", "unary-latency-16-b-concurrency-4",
			"unary-latency-16-b-concurrency-16", "unary-latency-16-b-concurrency-64",
			"unary-floor-16-b", "unary-floor-1-kib",
			"ranking-server-stream", "server-stream-rate-1-kib-concurrency-1", "server-stream-gap-1-kib-concurrency-1",
			"ranking-client-stream", "client-stream-time-10-messages-each-way-concurrency-1",
			"ranking-bidi-pingpong", "bidi-pingpong-1-kib", "ranking-bidi-flood", "bidi-flood-1-kib",
			"open-p50-16-b", "open-p99-16-b", "open-latency-16-b", "open-service-16-b", "channels-rate-16-b-concurrency-64",
		}},
		{"one concurrency is no line", oneConcurrency(t), []string{"ranking-family"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, figureNames(newReport(t, test.lines))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func oneConcurrency(t *testing.T) []result.Line {
	t.Helper()
	return slices.DeleteFunc(readRun(t, "two-rounds"), func(l result.Line) bool {
		return l.Case.Concurrency != 4
	})
}

// A case without a figure leaves a gap, and what surrounds it stays.
func TestLinesBreakWhereACaseFailed(t *testing.T) {
	f := figureNamed(t, newReport(t, readRun(t, "six-rounds")), "family-rate-16-b")
	var at []float64
	var gaps []bool
	for _, p := range lineNamed(t, f, "connect-go/connect/h3").Points {
		at, gaps = append(at, p.X), append(gaps, p.Gap)
	}
	if diff := cmp.Diff([]float64{1, 4, 64}, at); diff != "" {
		t.Errorf("points, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]bool{false, false, true}, gaps); diff != "" {
		t.Errorf("gaps, -want +got:\n%s", diff)
	}
}

func TestWhiskersAreTheIntervals(t *testing.T) {
	r := newReport(t, readRun(t, "six-rounds"))
	f := figureNamed(t, r, "family-rate-16-b")
	p := lineNamed(t, f, "grpc-go/grpc/h2c").Points[3]
	i := slices.IndexFunc(r.Summaries, func(s result.Summary) bool {
		return s.Case.Stack == "grpc-go/grpc/h2c" && s.Case.Concurrency == 64
	})
	want, _ := r.Summaries[i].Metric("rate")
	if p.Y != want.Median || p.Low != want.Low || p.High != want.High {
		t.Errorf("point %+v, want %+v", p, want.Estimate)
	}
	if !strings.Contains(f.About, "95% interval") || !f.Y.Log {
		t.Errorf("about %q, logarithmic %t", f.About, f.Y.Log)
	}
	two := figureNamed(t, newReport(t, readRun(t, "two-rounds")), "family-rate-16-b")
	if !strings.Contains(two.About, "lowest to highest") {
		t.Errorf("about two rounds: %q", two.About)
	}
}

// A percentile beyond which fewer than 100 samples lie is not drawn.
func TestThinPercentilesAreNotDrawn(t *testing.T) {
	r := newReport(t, madeRun(t, 2))
	f := figureNamed(t, r, "unary-latency-16-b-concurrency-64")
	for _, s := range r.Summaries {
		if s.Case.Stack == "connect-go/connect/h3" { // the ninth of nine, so in no figure
			continue
		}
		if s.Case.Scenario != "unary" || s.Case.Payload != 16 || s.Case.Concurrency != 64 {
			continue
		}
		want := 0
		for _, p := range s.Histograms[0].Percentiles() {
			if p.NS != nil {
				want++
			}
		}
		if got := len(lineNamed(t, f, s.Case.Stack).Points); got != want || want == 6 {
			t.Errorf("%s: %d points, want %d, and fewer than 6", s.Case.Stack, got, want)
		}
	}
}

// The floor is the yardstick: a stack at half its rate needs twice its time.
func TestTimesFloor(t *testing.T) {
	var lines []result.Line
	for round := range 6 {
		for stack, rate := range map[string]float64{"floor/grpc/h2c": 10_000, "a/grpc/h2c": 5_000, "b/grpc/h2c": 8_000} {
			l := readRun(t, "two-rounds")[0]
			l.Round, l.Case.Stack, l.Case.Concurrency, l.Histograms = round+1, stack, 1, nil
			l.Metrics = []result.Metric{{Name: "rate", Unit: "req/s", Better: result.Higher, Value: rate * float64(round+1)}}
			lines = append(lines, l)
		}
	}
	f := figureNamed(t, newReport(t, lines), "family-floor-16-b")
	var got []string
	for _, b := range f.Dots {
		got = append(got, b.Label+" "+b.Text)
	}
	want := []string{"b/grpc/h2c 1.25× (1.25–1.25)", "a/grpc/h2c 2.00× (2.00–2.00)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if f.X.Reference != 1 {
		t.Errorf("the reference is at %g, want the floor at 1", f.X.Reference)
	}
}

// The open loop's figures go by the share of the capacity, whatever the rate.
func TestKnee(t *testing.T) {
	f := figureNamed(t, newReport(t, madeRun(t, 2)), "open-p50-16-b")
	var ticks []string
	for _, tick := range f.X.Ticks {
		ticks = append(ticks, tick.Text)
	}
	if diff := cmp.Diff([]string{"10%", "30%", "50%", "70%", "90%"}, ticks); diff != "" {
		t.Errorf("ticks, -want +got:\n%s", diff)
	}
	if len(f.Lines) != maxSeries || !strings.HasPrefix(f.About, "The best 8 of 9, the others are in the table") {
		t.Errorf("%d lines of %d stacks, said to be %q; want %d", len(f.Lines), len(madeStacks), f.About, maxSeries)
	}
}

// A library has one colour wherever it is, and no figure has too many series.
func TestColoursStay(t *testing.T) {
	colours := map[string]int{}
	for _, f := range newReport(t, madeRun(t, 2)).Figures() {
		if n := len(f.Lines) + len(f.Dots); n > maxSeries {
			t.Errorf("%s has %d series", f.Name, n)
		}
		series := map[string]int{}
		for _, l := range f.Lines {
			series[l.Label] = l.Colour
		}
		for _, d := range f.Dots {
			series[d.Label] = d.Colour
		}
		for label, colour := range series {
			library := libraryOf(label)
			if known, ok := colours[library]; ok && known != colour {
				t.Errorf("%s: %s has colour %d and %d", f.Name, library, known, colour)
			}
			colours[library] = colour
		}
	}
	if len(colours) != 4 {
		t.Errorf("%d libraries have colours, want 4", len(colours))
	}
}
