package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/result"
)

// rowsOf returns the cells of a Markdown table's rows, its head first.
func rowsOf(t *testing.T, text, title string) [][]string {
	t.Helper()
	_, part, ok := strings.Cut(text, "### "+title+"\n")
	if !ok {
		t.Fatalf("no table %q in\n%s", title, text)
	}
	part, _, _ = strings.Cut(part, "\n### ")
	var rows [][]string
	for line := range strings.Lines(part) {
		if strings.HasPrefix(line, "| ") {
			var cells []string
			for cell := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|\n"), "|") {
				cells = append(cells, strings.TrimSpace(cell))
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

func TestPercentileTables(t *testing.T) {
	text := written(t, Markdown, newReport(t, madeRun(t, 3)))
	rows := rowsOf(t, text, "Unary: 16 B: latency")
	if diff := cmp.Diff([]string{"stack", "concurrency", "p50, µs", "p90, µs", "p99, µs", "p99.9, µs"}, rows[0]); diff != "" {
		t.Errorf("head, -want +got:\n%s", diff)
	}
	if want := 1 + 4*len(madeStacks); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	blank := false
	for _, row := range rows[1:] {
		blank = blank || row[5] == ""
		if row[2] == "" || row[3] == "" {
			t.Errorf("row %q has no p50 or p90", row)
		}
	}
	if !blank || !strings.Contains(text, "Blank (thin-percentile)") {
		t.Error("no thin percentile is blank and explained")
	}
	for _, title := range []string{"Server-stream: 1 KiB: gap", "Server-stream: 1 KiB: first message", "Bidi-pingpong: 1 KiB: round trip"} {
		rowsOf(t, text, title)
	}
	for _, title := range []string{"Open: 16 B: latency", "Open: 16 B: service"} {
		if rows := rowsOf(t, text, title); rows[0][1] != "load" || rows[1][1] != "10%" {
			t.Errorf("%s: rows begin %q", title, rows[:2])
		}
	}
}

// A short fixed count has its table of rates alone.
func TestFixedCountsHaveNoPercentileTable(t *testing.T) {
	if text := written(t, Markdown, newReport(t, readRun(t, "six-rounds"))); strings.Contains(text, "p90") {
		t.Error("family has a table of percentiles")
	}
}

// What failed has its verdict in the table of percentiles too.
func TestPercentileTablesShowVerdicts(t *testing.T) {
	lines := madeRun(t, 2)
	for i := range lines {
		if lines[i].Case.Scenario == "bidi-pingpong" && lines[i].Case.Stack == "floor/grpc/h2c" {
			lines[i].Errors = map[string]int64{"internal": 1}
		}
	}
	for _, row := range rowsOf(t, written(t, Markdown, newReport(t, lines)), "Bidi-pingpong: 1 KiB: round trip")[1:] {
		if failed := row[0] == "`floor/grpc/h2c`"; failed != (row[1] == string(result.Errors)) {
			t.Errorf("row %q", row)
		}
	}
}

// Rates differ from stack to stack, so they have a column; loads are what is
// compared.
func TestOpenLoopColumns(t *testing.T) {
	rows := rowsOf(t, written(t, Markdown, newReport(t, madeRun(t, 2))), "Open: 16 B")
	want := []string{"stack", "load", "req/s", "late, fraction", "unsent, calls", "arrivals/s", "connections"}
	if diff := cmp.Diff(want, rows[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := 1 + 5*len(madeStacks); len(rows) != want {
		t.Errorf("%d rows, want %d: one for each stack and load", len(rows), want)
	}
}

// Two runs find different capacities, and their cases must not hide each other.
func TestRatesOfTwoRunsStandApart(t *testing.T) {
	lines := madeRun(t, 1)
	for _, l := range madeRun(t, 1) {
		if l.Case.Scenario == "open" {
			l.Run, l.Case.Rate = "other", l.Case.Rate*1.01
			lines = append(lines, l)
		}
	}
	rows := rowsOf(t, written(t, Markdown, newReport(t, lines)), "Open: 16 B")
	figures := 0
	for _, row := range rows[1:] {
		for i, cell := range row {
			if strings.HasPrefix(rows[0][i], "req/s") && cell != dash {
				figures++
			}
		}
	}
	if want := 2 * 5 * len(madeStacks); figures != want {
		t.Errorf("%d figures, want %d", figures, want)
	}
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 999: "999 ns", 1e3: "1 µs", 12_345: "12.3 µs", 999_999: "1000 µs", 1e6: "1 ms", 2.5e9: "2.5 s",
	} {
		if got := duration(ns); got != want {
			t.Errorf("%g is %q, want %q", ns, got, want)
		}
	}
}
