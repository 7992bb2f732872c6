package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
)

// turn is how long a live view shows the same tables.
const turn = 5 * time.Second

// tables are the medians so far for a live view: a table for each kind of measurement, a row for
// each stack, and a column for each value of what else varies.
type tables struct {
	pages   []*page
	byTitle map[string]*page
}

// page is one table.
type page struct {
	title   string
	unit    string
	rows    []string
	columns []column
	values  map[[2]string][]float64 // by row and column
	faults  map[[2]string]string    // verdicts in place of figures
}

// column has a label, and a number by which columns are sorted.
type column struct {
	label string
	order float64
}

// newTables returns empty tables for the cases, in their order.
func newTables(cases []result.Case) *tables {
	t := &tables{byTitle: make(map[string]*page)}
	for _, c := range cases {
		title := titleOf(c)
		p := t.byTitle[title]
		if p == nil {
			p = &page{title: title, values: make(map[[2]string][]float64), faults: make(map[[2]string]string)}
			t.byTitle[title] = p
			t.pages = append(t.pages, p)
		}
		p.expect(c)
	}
	return t
}

// add enters one result, of a case that the tables were made for.
func (t *tables) add(l result.Line) {
	if p := t.byTitle[titleOf(l.Case)]; p != nil {
		p.add(l)
	}
}

// titleOf returns the title of the case's table.
func titleOf(c result.Case) string {
	title := c.Scenario
	if mode := strings.ReplaceAll(c.Mode, "_", "-"); mode != title && mode != "" {
		title += ", " + mode
	}
	if c.Direction != "" {
		return title + ", " + c.Direction
	}
	return title + ", " + report.Bytes(c.Payload)
}

func rowOf(c result.Case) string {
	if c.Replica != "" {
		return c.Stack + " (" + c.Replica + ")"
	}
	return c.Stack
}

// columnOf returns the case's column: what varies within a table.
func columnOf(c result.Case) column {
	switch {
	case c.Direction != "":
		return column{report.Bytes(c.Payload), float64(c.Payload)}
	case c.Load > 0:
		return column{fmt.Sprintf("%.0f%%", 100*c.Load), c.Load}
	case c.Scenario == "interop":
		return column{c.Client, 0}
	case c.Scenario == "channels":
		return column{fmt.Sprintf("n=%d", c.Connections), float64(c.Connections)}
	}
	return column{fmt.Sprintf("c=%d", c.Concurrency), float64(c.Concurrency)}
}

// expect makes room for the case.
func (p *page) expect(c result.Case) {
	row, col := rowOf(c), columnOf(c)
	if !slices.Contains(p.rows, row) {
		p.rows = append(p.rows, row)
	}
	if !slices.Contains(p.columns, col) {
		p.columns = append(p.columns, col)
		slices.SortFunc(p.columns, func(a, b column) int { return cmp.Compare(a.order, b.order) })
	}
}

func (p *page) add(l result.Line) {
	cell := [2]string{rowOf(l.Case), columnOf(l.Case).label}
	if result.Disqualified(l.Verdicts) {
		p.faults[cell] = string(l.Verdicts[0])
	}
	if len(l.Metrics) > 0 {
		p.unit = l.Metrics[0].Unit
		p.values[cell] = append(p.values[cell], l.Metrics[0].Value)
	} else if l.Calls > 0 {
		p.unit = "calls" // the scenario has no figure
		p.values[cell] = append(p.values[cell], float64(l.Calls))
	}
}

// view returns as many tables as fit into height lines, beginning with the page-th. The first is
// cut if it does not fit.
func (t *tables) view(page, height int) []string {
	var lines []string
	for i := range t.pages {
		next := t.pages[(page+i)%len(t.pages)].view(fmt.Sprintf("table %d of %d", (page+i)%len(t.pages)+1, len(t.pages)))
		if len(lines)+len(next) <= height {
			lines = append(lines, next...)
			continue
		}
		if i == 0 && height > 0 {
			return append(next[:height-1], fmt.Sprintf("  … and %d more", len(next)-height))
		}
		break
	}
	return lines
}

const cellWidth = 11

func (p *page) view(place string) []string {
	name := 0
	for _, row := range p.rows {
		name = max(name, len(row))
	}
	title := p.title
	if p.unit != "" {
		title += ": " + p.unit + ", medians so far"
	}
	head := []string{strings.Repeat(" ", name)}
	for _, c := range p.columns {
		head = append(head, fmt.Sprintf("%*s", cellWidth, c.label))
	}
	lines := []string{title + " (" + place + ")", strings.Join(head, " ")}
	for _, row := range p.rows {
		line := []string{fmt.Sprintf("%-*s", name, row)}
		for _, c := range p.columns {
			line = append(line, fmt.Sprintf("%*s", cellWidth, p.cell(row, c)))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return append(lines, "")
}

func (p *page) cell(row string, c column) string {
	cell := [2]string{row, c.label}
	if fault := p.faults[cell]; fault != "" {
		return fault
	}
	values := p.values[cell]
	if len(values) == 0 {
		return "·"
	}
	return report.ThreeDigits(result.EstimateMedian(values).Median)
}
