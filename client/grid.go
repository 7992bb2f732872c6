package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/greet/internal/greet"
)

// printGrid prints a line per row, with a letter in each cell that cannot work. Below, it explains
// the letters and lists what failed. Neighbouring rows that cannot work for the same reason share a
// line. It returns an error if anything failed.
func printGrid(out io.Writer, rows []row) error {
	var g grid
	var text strings.Builder
	text.WriteString("\t\tproto\t\t\t\tjson\n")
	text.WriteString("client\tlistener" + strings.Repeat("\tunary\tserver\tclient\tbidi", len(codecs)) + "\n")
	for i, r := range rows {
		line := g.line(r)
		if i+1 < len(rows) && r.sharesLine(&rows[i+1]) {
			continue
		}
		if i > 0 && r.sharesLine(&rows[i-1]) {
			r.transport, r.listener = "*", "*"
		}
		fmt.Fprintf(&text, "%s/%s/%s\t%s%s\n", r.lib, r.protocol, r.transport, r.listener, line)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(table, text.String()); err != nil {
		return fmt.Errorf("print grid: %w", err)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print grid: %w", err)
	}
	return g.summarise(out)
}

func (r *row) sharesLine(other *row) bool {
	return r.lib == other.lib && r.protocol == other.protocol &&
		r.refusal() != "" && r.refusal() == other.refusal()
}

// grid counts cells and collects the texts behind their letters.
type grid struct {
	worked, should, cannot int
	reasons                []string // why cells cannot work; the first is marked a
	failures               []failure
}

// failure is an error with the cells that have it.
type failure struct {
	text  string
	first string
	cells int
}

func (g *grid) line(r row) string {
	var line strings.Builder
	for i, cells := range r.cells {
		for j, c := range cells {
			where := fmt.Sprintf("%s/%s/%s %s %s", r.lib, r.protocol, r.transport, codecs[i], greet.Modes[j])
			line.WriteString("\t" + g.mark(c, where))
		}
	}
	return line.String()
}

// mark counts the cell and returns what stands in its place.
func (g *grid) mark(c cell, where string) string {
	if c.why != "" {
		g.cannot++
		i := slices.Index(g.reasons, c.why)
		if i < 0 {
			i = len(g.reasons)
			g.reasons = append(g.reasons, c.why)
		}
		return string(rune('a' + i))
	}
	g.should++
	if c.err == nil {
		g.worked++
		return "ok"
	}
	text := c.err.Error()
	i := slices.IndexFunc(g.failures, func(f failure) bool { return f.text == text })
	if i < 0 {
		i = len(g.failures)
		g.failures = append(g.failures, failure{text: text, first: where})
	}
	g.failures[i].cells++
	return "FAIL"
}

func (g *grid) summarise(out io.Writer) error {
	fmt.Fprintln(out, "\nserver, client: the modes of server streaming and client streaming")
	for i, why := range g.reasons {
		fmt.Fprintf(out, "%c  %s\n", 'a'+i, why)
	}
	for _, f := range g.failures {
		fmt.Fprintf(out, "FAIL in %d, first %s: %s\n", f.cells, f.first, printable(f.text))
	}
	fmt.Fprintf(out, "\n%d of %d that should work do; %d cannot, for the reasons above.\n", g.worked, g.should, g.cannot)
	if g.worked < g.should {
		return fmt.Errorf("%d of %d calls that should work failed", g.should-g.worked, g.should)
	}
	return nil
}
