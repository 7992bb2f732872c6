package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/result"
)

// TestFit holds a report against screens: nothing is wider than they are, and no row of
// a table is lost.
func TestFit(t *testing.T) {
	r := newReport(t, madeRun(t, 6))
	whole := written(t, Markdown, r)
	for _, width := range []int{80, 120, 200} {
		r.Width = width
		text := written(t, Markdown, r)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width && !strings.HasPrefix(line, "###") {
				t.Errorf("width %d: %d letters in %q", width, n, line)
			}
		}
		for _, stack := range madeStacks {
			row := "| `" + stack.name + "`"
			if got, want := strings.Count(text, row), strings.Count(whole, row); got < want {
				t.Errorf("width %d: %d rows of %s, want %d at least", width, got, stack.name, want)
			}
		}
	}
}

var bracketed = regexp.MustCompile(` \([^)]*–[^)]*\)`)

// TestFitKeepsFigures compares what stands in parts of a table with what stood in it.
func TestFitKeepsFigures(t *testing.T) {
	whole := newReport(t, readRun(t, "six-rounds")).tablesOf("family")[0]
	var got, want []string
	for _, part := range whole.fit(60) {
		if part.width() > 60 {
			t.Errorf("a part is %d wide", part.width())
		}
		for i, h := range part.Heads {
			if h.Number {
				got = append(got, strings.ReplaceAll(h.Text, "\n", " ")+": "+part.Rows[0][i].Text)
			}
		}
	}
	for i, h := range whole.Heads {
		if h.Number {
			want = append(want, h.Text+": "+bracketed.ReplaceAllString(whole.Rows[0][i].Text, ""))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures of the first row, -want +got:\n%s", diff)
	}
}

// A grid has no figures, and is split all the same.
func TestFitSplitsGrids(t *testing.T) {
	r := metReport(t, metRun(t, func(*result.Line) {}))
	r.Width = 60
	for line := range strings.Lines(written(t, Markdown, r)) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > r.Width {
			t.Errorf("%d letters in %q", n, line)
		}
	}
}

// Two rows of one name keep the column that tells them apart in each part.
func TestFitTellsRowsApart(t *testing.T) {
	name, figure := head{Text: "stack"}, head{Text: "a long head of a column", Number: true}
	row := func(stack, replica string) []cell {
		return []cell{{Text: stack}, {Text: replica}, {Text: "go"}, {Text: "1,000,000"}, {Text: "2,000,000"}}
	}
	parts := table{
		Heads: []head{name, {Text: "replica"}, {Text: "language"}, figure, figure},
		Rows:  [][]cell{row("one", ""), row("one", "control")},
	}.fit(45)
	if len(parts) != 2 || len(parts[0].Heads) != 4 || len(parts[1].Heads) != 3 {
		t.Fatalf("%d parts, want two, of which the second has no language", len(parts))
	}
	if got := parts[1].Rows[1]; got[0].Text != "one" || got[1].Text != "control" || got[2].Text != "2,000,000" {
		t.Errorf("last row of the second part: %+v", got)
	}
}

// Code stays in one piece, and what is longer than a line stands alone.
func TestFill(t *testing.T) {
	got := fill(wordsOf("see `go run ./x` and averyverylongword end"), 12)
	if diff := cmp.Diff([]string{"see", "`go run ./x`", "and", "averyverylongword", "end"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
