package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fit makes a table fit a screen. It first breaks heads into several lines, then leaves out
// intervals, then splits the table into parts, each with the columns that name its rows. A width of
// 0 has room for any table. If the names alone are too wide, so is the table.
func (t table) fit(width int) []table {
	if width <= 0 || t.width() <= width {
		return []table{t}
	}
	if t = t.withNarrowHeads(); t.width() <= width {
		return []table{t}
	}
	t = t.withoutIntervals().withNarrowHeads()
	names := t.names
	if names == 0 {
		names = slices.IndexFunc(t.Heads, func(h head) bool { return h.Number })
	}
	if names < 0 || t.width() <= width {
		return []table{t}
	}
	var parts []table
	for from := names; from < len(t.Heads); {
		to := from + 1
		for to < len(t.Heads) && t.columns(names, from, to+1).width() <= width {
			to++
		}
		parts = append(parts, t.columns(names, from, to))
		from, names = to, t.namesNeeded(names)
	}
	return parts
}

// namesNeeded returns how many of the columns that name rows are needed to tell all rows apart.
func (t table) namesNeeded(names int) int {
	for n := 1; n < names; n++ {
		seen := map[string]bool{}
		for _, row := range t.Rows {
			var name strings.Builder
			for _, c := range row[:n] {
				name.WriteString(c.Text + "\x00")
			}
			seen[name.String()] = true
		}
		if len(seen) == len(t.Rows) {
			return n
		}
	}
	return names
}

// withNarrowHeads breaks heads between words if they are wider than the cells below.
func (t table) withNarrowHeads() table {
	heads := slices.Clone(t.Heads)
	for i := range heads {
		width := leastHead
		for _, row := range t.Rows {
			width = max(width, utf8.RuneCountInString(markdownCell(row[i])))
		}
		heads[i].Text = strings.Join(fill(headWords(heads[i].Text), width), "\n")
	}
	t.Heads = heads
	return t
}

// leastHead is how wide a head may always be, even above shorter cells.
const leastHead = 10

// headWords splits a head, but keeps "1 / 4 / 16" in one piece.
func headWords(text string) []string {
	words := strings.Fields(strings.ReplaceAll(text, " / ", "\x00"))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "\x00", " / ")
	}
	return words
}

// width is how many columns of a screen the table takes.
func (t table) width() int {
	total := 1
	for _, w := range widthsOf(t.texts()) {
		total += w + 3
	}
	return total
}

// withoutIntervals removes the brackets after figures.
func (t table) withoutIntervals() table {
	rows := make([][]cell, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Clone(row)
		for j, h := range t.Heads {
			if h.Number {
				rows[i][j].Text, _, _ = strings.Cut(row[j].Text, " (")
			}
		}
	}
	t.Rows = rows
	return t
}

// columns keeps the columns that name rows, and those in [from, to).
func (t table) columns(names, from, to int) table {
	part := table{Heads: slices.Concat(t.Heads[:names], t.Heads[from:to])}
	for _, row := range t.Rows {
		part.Rows = append(part.Rows, slices.Concat(row[:names], row[from:to]))
	}
	return part
}
