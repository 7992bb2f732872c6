package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/greet/internal/result"
)

// turn is how long the same tables stay on the screen.
const turn = 5 * time.Second

// tables are the medians so far, as a live view shows them: a table for each kind
// of measurement, a row for each stack, and a column for what else varies.
type tables struct {
	pages []*page
	byKey map[string]*page
}

// page is one table.
type page struct {
	title   string
	unit    string
	rows    []string
	columns []column
	values  map[[2]string][]float64 // by row and column
	faults  map[[2]string]string    // verdicts that take a figure's place
}

// column orders itself by the number that its label tells.
type column struct {
	label string
	order float64
}

func newTables() *tables { return &tables{byKey: make(map[string]*page)} }

// add enters one result.
func (t *tables) add(l result.Line) {
	title := titleOf(l.Case)
	p := t.byKey[title]
	if p == nil {
		p = &page{title: title, values: make(map[[2]string][]float64), faults: make(map[[2]string]string)}
		t.byKey[title] = p
		t.pages = append(t.pages, p)
		slices.SortFunc(t.pages, func(a, b *page) int { return strings.Compare(a.title, b.title) })
	}
	p.add(l)
}

// titleOf tells tables apart.
func titleOf(c result.Case) string {
	parts := []string{c.Scenario}
	for _, part := range []string{strings.ReplaceAll(c.Mode, "_", " "), c.Direction} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if c.Direction == "" {
		parts = append(parts, fmt.Sprintf("%d B", c.Payload))
	}
	return strings.Join(parts, ", ")
}

// columnOf is what varies within a table.
func columnOf(c result.Case) column {
	switch {
	case c.Direction != "":
		return column{fmt.Sprintf("%d KiB", c.Payload>>10), float64(c.Payload)}
	case c.Load > 0:
		return column{fmt.Sprintf("%.0f%%", 100*c.Load), c.Load}
	case c.Scenario == "channels":
		return column{fmt.Sprintf("n=%d", c.Connections), float64(c.Connections)}
	}
	return column{fmt.Sprintf("c=%d", c.Concurrency), float64(c.Concurrency)}
}

func (p *page) add(l result.Line) {
	row, col := l.Case.Stack, columnOf(l.Case)
	if l.Case.Replica != "" {
		row += " (" + l.Case.Replica + ")"
	}
	if i, known := slices.BinarySearch(p.rows, row); !known {
		p.rows = slices.Insert(p.rows, i, row)
	}
	if !slices.Contains(p.columns, col) {
		p.columns = append(p.columns, col)
		slices.SortFunc(p.columns, func(a, b column) int { return int(1000 * (a.order - b.order)) })
	}
	cell := [2]string{row, col.label}
	if result.Disqualified(l.Verdicts) {
		p.faults[cell] = string(l.Verdicts[0])
	}
	if len(l.Metrics) > 0 {
		p.unit = l.Metrics[0].Unit
		p.values[cell] = append(p.values[cell], l.Metrics[0].Value)
	}
}

// view is as many tables as fit into height lines, beginning with the page-th; the
// first is cut if it does not fit by itself.
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
	head := strings.Repeat(" ", name)
	for _, c := range p.columns {
		head += fmt.Sprintf(" %*s", cellWidth, c.label)
	}
	lines := []string{title + " (" + place + ")", head}
	for _, row := range p.rows {
		line := fmt.Sprintf("%-*s", name, row)
		for _, c := range p.columns {
			line += fmt.Sprintf(" %*s", cellWidth, p.cell(row, c))
		}
		lines = append(lines, line)
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
	return threeDigits(result.EstimateMedian(values).Median)
}

// threeDigits is a figure as precise as a glance can take in.
func threeDigits(v float64) string {
	switch {
	case v >= 100:
		text := fmt.Sprintf("%.0f", v)
		for i := len(text) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
		return text
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
