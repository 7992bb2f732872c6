package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// writeTable writes a table, or several if it does not fit the width; 0 has room for any.
func writeTable(b *bytes.Buffer, t table, width int) {
	fmt.Fprintf(b, "\n### %s\n\n", plain(capital(t.Title)))
	if t.About != "" {
		for part := range strings.SplitSeq(t.About, ".\n") {
			paragraph(b, strings.TrimSuffix(part, ".")+".", width)
		}
	}
	paragraph(b, plain(capital(strings.Join(t.Facts, " · ")))+".", width)
	for _, text := range t.Once {
		paragraph(b, text, width)
	}
	b.WriteString("\n")
	for i, part := range t.fit(width) {
		if i > 0 {
			b.WriteString("\n")
		}
		writeAligned(b, part.Heads, part.texts())
	}
	if len(t.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, note := range t.Notes {
		item(b, note, width)
	}
}

// texts returns the table's cells in Markdown, the heads first.
func (t table) texts() [][]string {
	first := make([]string, len(t.Heads))
	for i, h := range t.Heads {
		first[i] = plainHead(h.Text)
	}
	lines := [][]string{first}
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			texts[i] = markdownCell(c)
		}
		lines = append(lines, texts)
	}
	return lines
}

// plainHead keeps the lines of a head.
func plainHead(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

func markdownCell(c cell) string {
	switch {
	case c.Code:
		return codeInCell(c.Text)
	case c.Best:
		return "**" + c.Text + "**" + c.Marks
	}
	return plain(c.Text) + c.Marks
}

// writeAligned pads the cells, so that a terminal shows columns too.
func writeAligned(b *bytes.Buffer, heads []head, lines [][]string) {
	widths := widthsOf(lines)
	for _, line := range headLines(lines[0]) {
		writeRow(b, heads, widths, line)
	}
	writeRule(b, heads, widths)
	for _, line := range lines[1:] {
		writeRow(b, heads, widths, line)
	}
}

func writeRow(b *bytes.Buffer, heads []head, widths []int, line []string) {
	for i, text := range line {
		gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
		if heads[i].Number {
			text = gap + text
		} else {
			text += gap
		}
		b.WriteString("| " + text + " ")
	}
	b.WriteString("|\n")
}

// headLines splits heads into lines. The last lines of all heads are on one level.
func headLines(heads []string) [][]string {
	height := 1
	for _, text := range heads {
		height = max(height, strings.Count(text, "\n")+1)
	}
	lines := make([][]string, height)
	for _, text := range heads {
		parts := strings.Split(strings.Repeat("\n", height-1-strings.Count(text, "\n"))+text, "\n")
		for i, part := range parts {
			lines[i] = append(lines[i], part)
		}
	}
	return lines
}

func writeRule(b *bytes.Buffer, heads []head, widths []int) {
	for i, h := range heads {
		if h.Number {
			b.WriteString("|-" + strings.Repeat("-", widths[i]) + ":")
		} else {
			b.WriteString("|-" + strings.Repeat("-", widths[i]) + "-")
		}
	}
	b.WriteString("|\n")
}

// widthsOf returns the width of each column: at least 3, for Markdown's rule.
func widthsOf(lines [][]string) []int {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, text := range line {
			for part := range strings.SplitSeq(text, "\n") {
				widths[i] = max(widths[i], utf8.RuneCountInString(part), 3)
			}
		}
	}
	return widths
}
