package report

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"example.com/greet/benchmark/internal/result"
)

// A spreadsheet runs a cell that begins like a formula.
func TestCSVHasNoFormulas(t *testing.T) {
	lines := readRun(t, "two-rounds")
	for i := range lines {
		lines[i].Case.Libraries = []string{`=HYPERLINK("http://example.com")`}
		lines[i].Case.Client, lines[i].Case.Language = "+1", "@SUM(A1)"
		lines[i].Case.Kind = "-1"
	}
	records, err := csv.NewReader(strings.NewReader(written(t, CSV, newReport(t, lines)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, record := range records {
		for _, cell := range record {
			if cell != "" && strings.IndexByte("=+-@", cell[0]) >= 0 {
				t.Errorf("the cell %q begins like a formula", cell)
			}
			if strings.HasPrefix(cell, "'") {
				marked++
			}
		}
	}
	if want := 4 * (len(records) - 1); marked != want {
		t.Errorf("%d cells are marked as text, want %d", marked, want)
	}
}

// A line break in a name or unit would begin another line, of another benchmark.
func TestGoBenchHasOneLineForEachSlice(t *testing.T) {
	lines := readRun(t, "two-rounds")
	whole := strings.Count(written(t, GoBench, newReport(t, lines)), "\n")
	for i := range lines {
		lines[i].Case.Client += "\nBenchmarkForged 1 1 ns/op"
		lines[i].Environment.CPU += "\r\nBenchmarkForged 1 1 ns/op"
		for j := range lines[i].Metrics {
			lines[i].Metrics[j].Unit += "\n\u2028BenchmarkForged 1 1 ns/op"
		}
	}
	text := written(t, GoBench, newReport(t, lines))
	if got := strings.Count(text, "\n"); got != whole || strings.Contains(text, "\nBenchmarkForged") {
		t.Errorf("%d lines, want %d:\n%s", got, whole, text)
	}
	reader := benchfmt.NewReader(strings.NewReader(text), "forged")
	for reader.Scan() {
		if broken, ok := reader.Result().(*benchfmt.SyntaxError); ok {
			t.Error(broken)
		}
	}
}

func TestGoBenchOfResultsWithoutAFigure(t *testing.T) {
	lines := metRun(t, func(*result.Line) {})
	if err := GoBench(new(strings.Builder), newReport(t, lines)); err == nil || !strings.Contains(err.Error(), "no figure") {
		t.Errorf("error %v, want one that says that there is no figure", err)
	}
}

// Whoever has only the export must see that it is one of a part.
func TestExportsOfAPartOfARunSaySo(t *testing.T) {
	part := readRun(t, "two-rounds")
	whole := readRun(t, "two-rounds")
	for i := range part {
		part[i].Plan = &result.Plan{Rounds: 300, Lines: 12_000, SliceNS: 1, Cases: "x"}
		whole[i].Plan = &result.Plan{Rounds: 300, Lines: len(whole), SliceNS: 1, Cases: "x"}
	}
	compared := func(older, newer []result.Line, format string) string {
		c, err := result.CompareAcross(older, newer)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := Find(format).Comparison(&b, NewComparison(c, nil)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := fmt.Sprintf("run %s was ended early, with %d of its 12,000 slices", part[0].Run, len(part))
	for name, texts := range map[string][2]string{
		"csv":             {written(t, CSV, newReport(t, part)), written(t, CSV, newReport(t, whole))},
		"gobench":         {written(t, GoBench, newReport(t, part)), written(t, GoBench, newReport(t, whole))},
		"compare":         {compared(whole, part, "markdown"), compared(whole, whole, "markdown")},
		"compare as csv":  {compared(part, whole, "csv"), compared(whole, whole, "csv")},
		"compare the old": {compared(part, whole, "markdown"), compared(whole, whole, "markdown")},
	} {
		if !strings.Contains(texts[0], want) || strings.Contains(texts[1], "was ended early") {
			t.Errorf("%s: a part says %t, the whole says %t", name, strings.Contains(texts[0], want), strings.Contains(texts[1], "was ended early"))
		}
	}
}

// The largest and the smallest figure that a line may have are printed and drawn.
func TestExtremeFigures(t *testing.T) {
	noNumber := regexp.MustCompile(`NaN[^(.]|[+-]Inf\b`) // a script in a page mentions NaN
	made := slices.DeleteFunc(madeRun(t, 6), func(l result.Line) bool { return l.Case.Scenario != "unary" || l.Case.Payload != 16 })
	for _, values := range [][]float64{{1e18}, {0}, {1e-12, 1e18}, {0, 1e18}} {
		lines := slices.Clone(made)
		for i := range lines {
			lines[i].Metrics = slices.Clone(lines[i].Metrics)
			for j := range lines[i].Metrics {
				lines[i].Metrics[j].Value = values[i%len(values)]
			}
		}
		r := newReport(t, lines)
		for _, format := range textFormats() {
			text := written(t, format.Report, r)
			if found := noNumber.FindString(text); found != "" {
				t.Errorf("%s of %v has %s in it", format.Name, values, found)
			}
			if len(text) > 8<<20 {
				t.Errorf("%s of %v has %d bytes", format.Name, values, len(text))
			}
		}
	}
	if e := result.EstimateMedian([]float64{math.MaxFloat64, math.MaxFloat64}); math.IsInf(e.Median, 0) {
		t.Errorf("the median of large values is %g", e.Median)
	}
}
