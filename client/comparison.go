package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"example.com/greet/internal/wire"
)

// Widths in characters. With cells of this width four ways fit into a table.
const (
	tableWidth = 100
	cellWidth  = 18
)

// comparisonRows are the lines of the table. Empty lines separate its blocks.
var comparisonRows = []struct {
	label string
	cell  func(c *comparedCall) []string
}{
	{"bytes, first call", nil},
	{"  sent", func(c *comparedCall) []string { return count(c.first.Sent) }},
	{"  received", func(c *comparedCall) []string { return count(c.first.Received) }},
	{"bytes, next call", nil},
	{"  sent", func(c *comparedCall) []string { return count(c.next.Sent) }},
	{"  received", func(c *comparedCall) []string { return count(c.next.Received) }},
	{"  of these messages", func(c *comparedCall) []string { return count(c.next.Message) }},
	{"", nil},
	{"the client sends", func(c *comparedCall) []string { return c.next.Sequence[wire.Client] }},
	{"  envelopes", func(c *comparedCall) []string { return count(c.next.Envelopes[wire.Client]) }},
	{"the server sends", func(c *comparedCall) []string { return c.next.Sequence[wire.Server] }},
	{"  envelopes", func(c *comparedCall) []string { return count(c.next.Envelopes[wire.Server]) }},
	{"", nil},
	{"deadline", func(c *comparedCall) []string { return c.next.Deadline }},
	{"metadata, request", func(c *comparedCall) []string { return c.metadata.Metadata[wire.Client] }},
	{"metadata, response", func(c *comparedCall) []string { return c.metadata.Metadata[wire.Server] }},
	{"status", func(c *comparedCall) []string { return c.next.Status }},
}

func count(n int) []string { return []string{strconv.Itoa(n)} }

// printComparison prints a column for each way. Below the table it says why a way is missing.
func printComparison(out io.Writer, title string, columns []comparedCall) error {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	heads := make([][]string, len(columns))
	for i, c := range columns {
		heads[i] = []string{c.way()}
	}
	printRow(table, "", heads)
	for _, row := range comparisonRows {
		cells := make([][]string, len(columns))
		for i := range columns {
			if row.cell != nil && columns[i].why == "" {
				cells[i] = row.cell(&columns[i])
			}
		}
		printRow(table, row.label, cells)
	}
	_ = table.Flush() // writing to a Builder cannot fail
	notes := []string{comparisonNote}
	for _, c := range columns {
		if c.why != "" {
			notes = append(notes, c.way()+" is empty: "+c.why)
		}
	}
	_, err := fmt.Fprintf(out, "--- %s, on the wire ---\n%s\n%s\n", title,
		trailingSpace.ReplaceAllString(text.String(), ""), strings.Join(narrow(notes, tableWidth), "\n"))
	return err
}

const comparisonNote = "The first call opens the connection. Over HTTP/2 the next one refers to header fields that the " +
	"first one sent, and is smaller. An envelope is five bytes before a message. --wire shows every byte."

var trailingSpace = regexp.MustCompile(`(?m) +$`)

func (c *comparedCall) way() string { return c.name.Protocol + "/" + c.name.Transport }

// printRow prints as many lines as the longest cell needs.
func printRow(table io.Writer, label string, cells [][]string) {
	lines := 1
	for i, cell := range cells {
		cells[i] = narrow(cell, cellWidth)
		lines = max(lines, len(cells[i]))
	}
	for n := range lines {
		fmt.Fprint(table, label)
		label = ""
		for _, cell := range cells {
			text := ""
			if n < len(cell) {
				text = cell[n]
			}
			fmt.Fprint(table, "\t", text)
		}
		fmt.Fprintln(table)
	}
}

// narrow breaks lines that are too wide, after a dash or a space if there is one.
func narrow(lines []string, width int) (cut []string) {
	for _, line := range lines {
		for utf8.RuneCountInString(line) > width {
			at := strings.LastIndexAny(line[:width], "- ") + 1
			if at == 0 {
				at = width
			}
			cut = append(cut, strings.TrimRight(line[:at], " "))
			line = "  " + line[at:]
		}
		cut = append(cut, line)
	}
	return cut
}
