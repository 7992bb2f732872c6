package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

var update = flag.Bool("update", false, "write the golden files anew")

// readRun reads a run in testdata: six-rounds has a codec part of one round, a
// case that failed and one that breaks Little's law; two-rounds has neither.
func readRun(t *testing.T, name string) []result.Line {
	t.Helper()
	lines, err := result.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func newReport(t *testing.T, lines []result.Line) Report {
	t.Helper()
	r, err := New(lines, scenario.Views())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Runs) == 1 { // as the benchmark fills it in
		r.Refusals = []Refusal{{
			Stack: "connect-go/connect/h1", Mode: "bidi",
			Reason: "HTTP/1.1 cannot send and receive at once; use h2c, h2 or h3",
		}}
	}
	return r
}

func written(t *testing.T, format func(io.Writer, Report) error, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := format(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden compares the files in testdata with what the format that each is named
// after writes. A format needs none: an empty file and -update make one.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*-rounds.*"))
	if err != nil || len(files) < 10 {
		t.Fatalf("golden files and runs: %q, error %v, want some", files, err)
	}
	for _, file := range files {
		run, format, _ := strings.Cut(filepath.Base(file), ".")
		if format == "jsonl" {
			continue // the run itself
		}
		wantGolden(t, file, written(t, Find(format).Report, newReport(t, readRun(t, run))))
	}
}

// wantGolden compares a text with a file, which it writes anew with -update. Git may
// store text with either end of line; TestCSVEndsOfLine sees to it.
func wantGolden(t *testing.T, file, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "\r\n", "\n")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: if the change is meant, run go test -update\n-want +got:\n%s", file, diff)
	}
}

// RFC 4180 ends each record with CR LF, and gives each as many fields.
func TestCSVEndsOfLine(t *testing.T) {
	text := written(t, CSV, newReport(t, readRun(t, "six-rounds")))
	if lines, ends := strings.Count(text, "\n"), strings.Count(text, "\r\n"); lines != ends || lines < 2 {
		t.Errorf("%d of %d records end with CR LF", ends, lines)
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll() // checks the number of fields
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(csvHead, records[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The order of the lines is that of a shuffled run and must not show.
func TestOrderOfLinesDoesNotShow(t *testing.T) {
	lines := readRun(t, "six-rounds")
	for _, format := range textFormats() {
		want := written(t, format.Report, newReport(t, lines))
		for seed := range uint64(3) {
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			if diff := cmp.Diff(want, written(t, format.Report, newReport(t, lines))); diff != "" {
				t.Fatalf("%s: -want +got:\n%s", format.Name, diff)
			}
		}
	}
}

// Whatever is wrong with one case, no figure of it shows.
func TestVerdictStandsInPlaceOfTheFigure(t *testing.T) {
	for _, test := range []struct {
		verdict result.Verdict
		change  func(*result.Line)
	}{
		{result.Errors, func(l *result.Line) { l.Errors = map[string]int64{"internal": 1} }},
		{result.WrongReply, func(l *result.Line) { l.Errors = map[string]int64{result.WrongReplyCode: 1} }},
		{result.Partial, func(l *result.Line) { l.Verdicts = []result.Verdict{result.Partial} }},
		{result.NoSuccess, func(l *result.Line) { l.Calls, l.Metrics, l.Histograms = 0, nil, nil }},
	} {
		lines := readRun(t, "two-rounds")
		for i := range lines {
			if lines[i].Case.Mode == "bidi" {
				test.change(&lines[i])
				break
			}
		}
		r := newReport(t, lines)
		if !r.Disqualified() {
			t.Errorf("%s: the report passes", test.verdict)
		}
		_, table, _ := strings.Cut(written(t, Markdown, r), "### Family: bidi")
		row := lineWith(table, "grpc-go")
		if !strings.Contains(row, string(test.verdict)) || strings.Contains(row, ",") {
			t.Errorf("%s: the row is %q", test.verdict, row)
		}
		if record := lineWith(written(t, CSV, r), "grpc-go/grpc/h2c,,go,google.golang.org/grpc v1.85.0,own,,,bidi"); !strings.Contains(record, ",,,,,,,") ||
			!strings.Contains(record, string(test.verdict)) {
			t.Errorf("%s: the record is %q", test.verdict, record)
		}
	}
	if newReport(t, readRun(t, "two-rounds")).Disqualified() {
		t.Error("a good run does not pass")
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

func TestBest(t *testing.T) {
	// In each of six rounds the second stack has so many percent of the first's rate.
	for _, test := range []struct {
		name     string
		percents []float64
		better   result.Better
		verdict  result.Verdict
		replica  bool
		want     []string // stacks in bold
	}{
		{"clearly slower", []float64{80, 81, 79, 80, 82, 80}, result.Higher, "", false, []string{"a/grpc/h2c"}},
		{"clearly faster", []float64{120, 119, 121, 120, 122, 120}, result.Higher, "", false, []string{"b/grpc/h2c"}},
		{"less is better", []float64{80, 81, 79, 80, 82, 80}, result.Lower, "", false, []string{"b/grpc/h2c"}},
		{"a tie", []float64{97, 103, 98, 102, 99, 102}, result.Higher, "", false, nil},
		{"five rounds claim nothing", []float64{80, 81, 79, 80, 82}, result.Higher, "", false, nil},
		{"the other failed", []float64{80, 81, 79, 80, 82, 80}, result.Higher, result.Partial, false, nil},
		{"the same stack twice", []float64{80, 81, 79, 80, 82, 80}, result.Higher, "", true, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			model := readRun(t, "two-rounds")[0]
			model.Histograms, model.Case.Scenario = nil, "new"
			var lines []result.Line
			for round, percent := range test.percents {
				a, b := model, model
				a.Round, b.Round = round+1, round+1
				a.Case.Stack, b.Case.Stack = "a/grpc/h2c", "b/grpc/h2c"
				if test.replica {
					b.Case.Stack, b.Case.Replica = a.Case.Stack, "2"
				}
				drift := 1000 * float64(1+round)
				a.Metrics = []result.Metric{{Name: "x", Unit: "x/s", Better: test.better, Value: drift}}
				b.Metrics = []result.Metric{{Name: "x", Unit: "x/s", Better: test.better, Value: drift * percent / 100}}
				if test.verdict != "" {
					b.Verdicts = []result.Verdict{test.verdict}
				}
				a.WindowNS, b.WindowNS = 1e9, 1e9
				lines = append(lines, a, b)
			}
			text := written(t, Markdown, newReport(t, lines))
			var bold []string
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "|") && strings.Contains(line, "**") {
					bold = append(bold, strings.Trim(strings.Split(line, "|")[1], " `"))
				}
			}
			if diff := cmp.Diff(test.want, bold); diff != "" {
				t.Errorf("bold, -want +got:\n%s\n%s", diff, text)
			}
		})
	}
}

// Each row is a rival: a library is not the best of a column where the floor is better.
func TestYardsticksAreRivals(t *testing.T) {
	var lines []result.Line
	for round := range 6 {
		for i, stack := range []string{"floor/grpc/h2c", "a/grpc/h2c", "b/grpc/h2c"} {
			l := readRun(t, "two-rounds")[0]
			l.Round, l.Case.Stack, l.Case.Scenario, l.WindowNS, l.Histograms = round+1, stack, "new", 1e9, nil
			l.Metrics = []result.Metric{{Name: "x", Unit: "x/s", Better: result.Higher, Value: float64(100 / (i + 1))}}
			lines = append(lines, l)
		}
	}
	text := written(t, Markdown, newReport(t, lines))
	if !strings.Contains(lineWith(text, "| `floor"), "**") || strings.Contains(lineWith(text, "| `a/grpc"), "**") {
		t.Errorf("want the floor in bold and nothing else:\n%s", text)
	}
}

// Connections tell columns apart only where one stack has several numbers of them.
func TestConnectionsAsColumns(t *testing.T) {
	model := readRun(t, "two-rounds")[0]
	model.Case.Scenario, model.Case.Concurrency, model.Histograms = "new", 64, nil
	var lines []result.Line
	for i, n := range []int{1, 8} {
		l := model
		l.Case.Connections, l.Opened, l.Accepted = n, int64(n), nil
		lines = append(lines, l)
		l.Case.Stack = []string{"one/grpc/h2c", "other/grpc/h2c"}[i]
		lines = append(lines, l)
	}
	if text := written(t, Markdown, newReport(t, lines)); !strings.Contains(text, "req/s, 8 connections asked for") {
		t.Errorf("one stack with two numbers of connections: want a column for each:\n%s", text)
	}
	apart := []result.Line{lines[1], lines[3]}
	if text := written(t, Markdown, newReport(t, apart)); strings.Contains(text, "asked for") {
		t.Errorf("one number for each stack: want one column:\n%s", text)
	}
}

// A scenario that the layouts do not have still shows all that it varies.
func TestUnknownScenario(t *testing.T) {
	lines := readRun(t, "two-rounds")
	for i := range lines {
		lines[i].Case.Scenario = "brand-new"
	}
	text := written(t, Markdown, newReport(t, lines))
	for _, want := range []string{"### Brand-new: unary, 16 B", "req/s, concurrency 64", "### Brand-new: bidi, 1 KiB"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// Texts from outside, such as an error, must not become markup.
func TestTextsFromOutsideStayTexts(t *testing.T) {
	lines := readRun(t, "two-rounds")
	for i := range lines {
		lines[i].Environment.CPU = "CPU | <b>*fast*</b>\n# heading"
		lines[i].Errors = map[string]int64{"internal": 1}
		lines[i].FirstError = "x`\n<script>|" + strings.Repeat("y", 10_000)
	}
	text := written(t, Markdown, newReport(t, lines))
	for _, bad := range []string{"<b>", "\n# heading", "`\n<script>", strings.Repeat("y", 300)} {
		if strings.Contains(text, bad) {
			t.Errorf("the text contains %q", bad)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(nil, nil); err == nil {
		t.Error("no lines: want an error")
	}
	lines := readRun(t, "two-rounds")
	lines[1].Environment.Kernel = "other"
	if _, err := New(lines, scenario.Views()); err == nil || !strings.Contains(err.Error(), "environment.kernel") {
		t.Errorf("error %v, want one that names the field", err)
	}
}

func TestFind(t *testing.T) {
	for _, format := range Formats {
		if found := Find(format.Name); found.Name != format.Name {
			t.Errorf("found %q, want %q", found.Name, format.Name)
		}
	}
}

// textFormats are the formats of a report that are one text.
func textFormats() []Format {
	return slices.DeleteFunc(slices.Clone(Formats), func(f Format) bool { return f.Report == nil })
}

// full is a disk that is.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormatsReturnErrorsOfTheWriter(t *testing.T) {
	r := newReport(t, readRun(t, "two-rounds"))
	for _, format := range textFormats() {
		if err := format.Report(full{}, r); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want the writer's", format.Name, err)
		}
	}
}
