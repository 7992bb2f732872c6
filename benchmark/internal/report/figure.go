package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
)

// group is the cases of one figure with what the chart made of them.
type group struct {
	chart  chart
	cases  []result.Summary
	names  []parameter // tell lines apart
	styles map[string]int
}

// figure is false where there is nothing to see: no value, or lines of one point.
func (c chart) figure(cases []result.Summary, styles map[string]int) (plot.Figure, bool) {
	g := group{chart: c, cases: cases, styles: styles}
	all := spare(cases, slices.Concat([]parameter{stackName}, who, settings), connections, rate)
	others := without(all, c.split, []parameter{c.over, stackName})
	g.names = slices.Concat([]parameter{stackName}, varying(others, cases))
	f := plot.Figure{
		Name: g.name(), Title: c.Title, About: capital(g.about()) + ".",
		Y: plot.Axis{Label: g.valueLabel(), Text: g.text},
	}
	switch {
	case c.Percentiles:
		g.alongPercentiles(&f)
	case c.Axis != "":
		g.along(&f)
	default:
		g.bars(&f)
	}
	return f, len(f.Lines) > 0 || len(f.Bars) > 0
}

// name adds what the split says to the chart's name.
func (g group) name() string {
	return slug(g.chart.Name + " " + phrases(g.chart.split, g.cases[0].Case))
}

// about says what all cases have in common, and what the whiskers are.
func (g group) about() string {
	var facts []string
	c := g.cases[0].Case
	for _, p := range without(settings, varying(settings, g.cases), []parameter{g.chart.over, connections}) {
		if text := p.phrase(c); text != "" {
			facts = append(facts, text)
		}
	}
	low, high := rounds(g.cases)
	switch {
	case g.chart.Histogram != "":
		facts = append(facts, "all rounds merged")
	case high == 1:
		facts = append(facts, "1 round")
	case low >= result.MinRounds:
		facts = append(facts, fmt.Sprintf("%d rounds, whiskers: 95%% interval", high))
	default:
		facts = append(facts, fmt.Sprintf("%d rounds, whiskers: lowest to highest", high))
	}
	return strings.Join(facts, " · ")
}

// label names the line or bar of a case.
func (g group) label(c result.Case) string {
	label := compared(c)
	if more := phrases(without(g.names[1:], g.said(c)), c); more != "" {
		label += ", " + more
	}
	return label
}

// said are the parameters that need no mention, because the label begins with them or
// the comparison does.
func (g group) said(c result.Case) []parameter {
	if comparison(c) < 0 {
		return nil
	}
	return []parameter{client, clientLanguage, language}
}

// along draws lines over the chart's variable.
func (g group) along(f *plot.Figure) {
	f.X = plot.Axis{Label: g.chart.Axis, Log: g.chart.number(g.cases[0].Case) >= 1}
	var values []float64
	for _, cases := range split(g.cases, g.names) {
		slices.SortFunc(cases, func(a, b result.Summary) int {
			return cmp.Compare(g.chart.number(a.Case), g.chart.number(b.Case))
		})
		line := plot.Line{Label: g.label(cases[0].Case), Style: g.styles[compared(cases[0].Case)]}
		for i := range cases {
			if p, ok := g.point(&cases[i]); ok {
				line.Points = append(line.Points, p)
				values = append(values, p.Y)
			}
		}
		if len(line.Points) > 0 {
			f.Lines = append(f.Lines, line)
		}
	}
	f.Y.Log = plot.Decades(values) || g.chart.Log
	f.X.Ticks = g.ticks(f.Lines)
	breakLines(f.Lines, f.X.Ticks)
	if len(f.X.Ticks) < 2 {
		f.Lines = nil
	}
}

// breakLines leaves a gap where a line has no value and others do: whatever failed
// there must not look as if it had worked.
func breakLines(lines []plot.Line, ticks []plot.Tick) {
	place := func(x float64) int { return slices.IndexFunc(ticks, func(t plot.Tick) bool { return t.At == x }) }
	for _, l := range lines {
		for i := range l.Points[1:] {
			l.Points[i+1].Gap = place(l.Points[i+1].X) > place(l.Points[i].X)+1
		}
	}
}

// ticks are where points are, each with the words of the tables.
func (g group) ticks(lines []plot.Line) []plot.Tick {
	var ticks []plot.Tick
	for _, s := range g.cases {
		at := g.chart.number(s.Case)
		has := func(l plot.Line) bool {
			return slices.ContainsFunc(l.Points, func(p plot.Point) bool { return p.X == at })
		}
		if slices.ContainsFunc(lines, has) {
			ticks = append(ticks, plot.Tick{At: at, Text: g.chart.over.value(s.Case)})
		}
	}
	slices.SortFunc(ticks, func(a, b plot.Tick) int { return cmp.Compare(a.At, b.At) })
	return slices.Compact(ticks)
}

// bars draws the cases in order, the best first.
func (g group) bars(f *plot.Figure) {
	f.X, f.Y = f.Y, plot.Axis{}
	if g.chart.Floor {
		f.X.Reference = 1
	}
	for i := range g.cases {
		s := &g.cases[i]
		if e, ok := g.estimate(s); ok {
			f.Bars = append(f.Bars, plot.Bar{
				Label: g.label(s.Case), Style: g.styles[compared(s.Case)],
				Value: e.Median, Low: e.Low, High: e.High, Text: g.written(e),
			})
		}
	}
	descending := !g.chart.Floor && g.betterIsHigher()
	slices.SortStableFunc(f.Bars, func(a, b plot.Bar) int {
		if descending {
			return cmp.Compare(b.Value, a.Value)
		}
		return cmp.Compare(a.Value, b.Value)
	})
}

func (g group) betterIsHigher() bool {
	m, _ := g.cases[0].Metric(g.chart.Metric)
	return m.Better == result.Higher
}

// alongPercentiles draws a line for each case. The axis gives each nine as much
// room as the one before.
func (g group) alongPercentiles(f *plot.Figure) {
	f.X = plot.Axis{Label: g.chart.Axis}
	var values []float64
	for i := range g.cases {
		s := &g.cases[i]
		h, ok := histogramOf(s, g.chart.Histogram)
		if !ok {
			continue
		}
		line := plot.Line{Label: g.label(s.Case), Style: g.styles[compared(s.Case)]}
		for _, p := range h.Percentiles() {
			if p.NS == nil {
				continue
			}
			at, ns := nines(p.Name), float64(*p.NS)
			values = append(values, ns)
			line.Points = append(line.Points, plot.Point{X: at, Y: ns, Text: line.Label + ", " + p.Name + ": " + duration(ns)})
			f.X.Ticks = append(f.X.Ticks, plot.Tick{At: at, Text: p.Name})
		}
		if len(line.Points) > 0 {
			f.Lines = append(f.Lines, line)
		}
	}
	slices.SortFunc(f.X.Ticks, func(a, b plot.Tick) int { return cmp.Compare(a.At, b.At) })
	f.X.Ticks = slices.Compact(f.X.Ticks)
	f.Y.Log = true
	if len(f.X.Ticks) < 2 || slices.ContainsFunc(values, func(v float64) bool { return v <= 0 }) {
		f.Lines = nil
	}
}

// nines is where a percentile lies: 1 for p90, 2 for p99, 3 for p99.9.
func nines(name string) float64 {
	var percent float64
	if _, err := fmt.Sscanf(name, "p%g", &percent); err != nil {
		return 0
	}
	return -math.Log10(1 - percent/100)
}
