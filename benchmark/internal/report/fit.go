package report

import (
	"regexp"
	"slices"
)

// interval is what follows a figure in a cell.
var interval = regexp.MustCompile(` \\([^()]*–[^()]*\\)`)

// fit makes a table fit a screen: first without intervals, then in parts, each with the
// columns that name its rows. A width of 0 has room for any table. Where names alone
// are too wide, so is the table.
func (t table) fit(width int) []table {
	if width <= 0 || t.width() <= width {
		return []table{t}
	}
	t = t.withoutIntervals()
	names := slices.IndexFunc(t.heads, func(h head) bool { return h.number })
	if names < 0 || t.width() <= width {
		return []table{t}
	}
	var parts []table
	for from := names; from < len(t.heads); {
		to := from + 1
		for to < len(t.heads) && t.columns(names, from, to+1).width() <= width {
			to++
		}
		parts = append(parts, t.columns(names, from, to))
		from = to
	}
	return parts
}

// width is how many columns of a screen the table takes.
func (t table) width() int {
	total := 1
	for _, w := range widthsOf(t.texts()) {
		total += w + 3
	}
	return total
}

func (t table) withoutIntervals() table {
	rows := make([][]cell, len(t.rows))
	for i, row := range t.rows {
		rows[i] = slices.Clone(row)
		for j := range rows[i] {
			rows[i][j].text = interval.ReplaceAllString(row[j].text, "")
		}
	}
	t.rows = rows
	return t
}

// columns keeps those that name rows and those from one to before another.
func (t table) columns(names, from, to int) table {
	part := table{heads: slices.Concat(t.heads[:names], t.heads[from:to])}
	for _, row := range t.rows {
		part.rows = append(part.rows, slices.Concat(row[:names], row[from:to]))
	}
	return part
}
