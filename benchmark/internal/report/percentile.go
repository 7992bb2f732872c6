package report

import (
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// shownPercentiles are the columns of tables of times.
var shownPercentiles = []string{"p50", "p90", "p99", "p99.9"}

// percentileTables makes a table for each kind of time that was recorded. Short windows have none:
// their samples are too few, and all from one moment.
func (g *grid) percentileTables() []table {
	if g.layout.ShortWindows {
		return nil
	}
	var names []string
	for _, s := range g.cases {
		for _, h := range s.Histograms {
			if !slices.Contains(names, h.Name) {
				names = append(names, h.Name)
			}
		}
	}
	slices.Sort(names)
	var tables []table
	for _, name := range names {
		tables = append(tables, g.percentileTable(name))
	}
	return tables
}

// percentileTable has a row for each case.
func (g *grid) percentileTable(name string) table {
	by := slices.Concat(g.rowBy, g.columnBy)
	t := table{
		Title: g.title() + ": " + words(name),
		Facts: []string{"percentiles of all rounds together, from merged histograms"},
	}
	for _, p := range by {
		t.Heads = append(t.Heads, head{Text: p.name})
	}
	for _, p := range shownPercentiles {
		t.Heads = append(t.Heads, head{Text: p + ", µs", Number: true, Better: result.Lower})
	}
	for _, column := range g.columns {
		for _, row := range g.rows {
			if s := g.at[g.place(row, column)]; s != nil {
				t.Rows = append(t.Rows, percentileRow(s, by, name))
			}
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b []cell) int { return strings.Compare(a[0].Text, b[0].Text) })
	if g.hasOtherShares() {
		t.Notes = append(t.Notes, noteOn(result.LoadDiffers))
	}
	if slices.ContainsFunc(t.Rows, func(row []cell) bool { return slices.ContainsFunc(row, cell.blank) }) {
		t.Notes = append(t.Notes, fmt.Sprintf("Blank (%s): fewer than 100 samples lie beyond that percentile.", result.ThinPercentile))
	}
	return t
}

func percentileRow(s *result.Summary, by []parameter, name string) []cell {
	var cells []cell
	for _, p := range by {
		shown := parameterCell(p, s.Case)
		if p.name == share.name && loadDiffers(*s) {
			shown.Marks = signs[result.LoadDiffers]
		}
		cells = append(cells, shown)
	}
	for _, p := range shownPercentiles {
		ns, ok := percentile(s, name, p)
		switch {
		case s.Disqualified():
			cells = append(cells, cell{Text: strings.Join(disqualifying(s.Verdicts), ", ")})
		case !ok:
			cells = append(cells, cell{})
		default:
			cells = append(cells, cell{Text: ThreeDigits(ns / 1e3)})
		}
	}
	return cells
}

func histogramOf(s *result.Summary, name string) (result.Histogram, bool) {
	i := slices.IndexFunc(s.Histograms, func(h result.Histogram) bool { return h.Name == name })
	if i < 0 {
		return result.Histogram{}, false
	}
	return s.Histograms[i], true
}

// percentile returns nanoseconds, or false if the percentile is thin.
func percentile(s *result.Summary, histogram, name string) (float64, bool) {
	h, _ := histogramOf(s, histogram)
	for _, p := range h.Percentiles() {
		if p.Name == name && p.NS != nil {
			return float64(*p.NS), true
		}
	}
	return 0, false
}
