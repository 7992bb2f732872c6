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

// maxSeries is the most lines or dots of a figure: nobody can read more.
const maxSeries = 8

// group is the cases of one figure with their chart.
type group struct {
	chart chart
	cases []result.Summary
	names []parameter // tell lines apart
}

// figure returns false if there is nothing to see: no value, or only lines of one point.
func (c chart) figure(cases []result.Summary) (plot.Figure, bool) {
	g := group{chart: c, cases: cases}
	all := dropRedundant(cases, slices.Concat(c.subject, who, settings), connections, rate)
	others := without(all, c.split, []parameter{c.over}, c.subject)
	g.names = slices.Concat(c.subject[:1], varying(others, cases))
	f := plot.Figure{
		Name: g.name(), Title: c.Title,
		Y: plot.Axis{Label: g.valueLabel(), Text: g.text},
	}
	switch {
	case c.Percentiles:
		g.alongPercentiles(&f)
	case c.Axis != "":
		g.along(&f)
	default:
		g.dots(&f)
	}
	f.About = capital(g.about(g.keepBest(&f))) + "."
	return f, len(f.Lines) > 0 || len(f.Dots) > 0
}

// keepBest removes all but the best if a figure has too many lines or dots, and returns how many
// there were. Dots are sorted already.
func (g group) keepBest(f *plot.Figure) (kept, all int) {
	all = len(f.Lines) + len(f.Dots)
	f.Dots = f.Dots[:min(len(f.Dots), maxSeries)]
	if len(f.Lines) > maxSeries {
		slices.SortStableFunc(f.Lines, func(a, b plot.Line) int { return cmp.Compare(g.rank(f, a), g.rank(f, b)) })
		f.Lines = f.Lines[:maxSeries]
	}
	return min(all, maxSeries), all
}

// rank is low for a good line. It goes by the median, or by the value at the last tick, which a
// line that ends before it does not reach.
func (g group) rank(f *plot.Figure, l plot.Line) float64 {
	at := l.Points[len(l.Points)-1]
	switch {
	case g.chart.Percentiles:
		return l.Points[0].Y
	case at.X < f.X.Ticks[len(f.X.Ticks)-1].At:
		return math.Inf(1)
	case g.betterIsHigher():
		return -at.Y
	}
	return at.Y
}

// name adds what the split says to the chart's name.
func (g group) name() string {
	return slug(g.chart.Name + " " + phrases(g.chart.split, g.cases[0].Case))
}

// about describes what all cases share, and the whiskers.
func (g group) about(kept, all int) string {
	var facts []string
	if kept < all {
		facts = append(facts, fmt.Sprintf("the best %d of %d, the others are in the table", kept, all))
	}
	c := g.cases[0].Case
	for _, p := range without(settings, varying(settings, g.cases), []parameter{g.chart.over, connections}) {
		if text := p.phrase(c); text != "" {
			facts = append(facts, text)
		}
	}
	if g.chart.over.name == share.name && slices.ContainsFunc(g.cases, loadDiffers) {
		facts = append(facts, "some loads are others in truth: the table says which")
	}
	facts = append(facts, g.rounds())
	return strings.Join(facts, " · ")
}

// rounds says what the whiskers are.
func (g group) rounds() string {
	low, high := rounds(g.cases)
	switch {
	case g.chart.Histogram != "":
		return "all rounds merged"
	case high == 1:
		return "1 round"
	case low >= result.MinRounds:
		return fmt.Sprintf("%d rounds, whiskers: 95%% interval", high)
	}
	return fmt.Sprintf("%d rounds, whiskers: lowest to highest", high)
}

// label names the line or dot of a case.
func (g group) label(c result.Case) string {
	label := g.chart.subject[0].value(c)
	if more := phrases(without(g.names[1:], g.said(c)), c); more != "" {
		label += ", " + more
	}
	return label
}

// said returns the parameters that need no mention: a library's name implies its language, and the
// comparison says which client calls.
func (g group) said(c result.Case) []parameter {
	if comparison(c) < 0 {
		return []parameter{clientLanguage, language}
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
		line := plot.Line{Label: g.label(cases[0].Case), Colour: g.colour(cases[0].Case)}
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

// breakLines leaves a gap where a line has no value and others do, so that a failure does not look
// like a success.
func breakLines(lines []plot.Line, ticks []plot.Tick) {
	place := func(x float64) int { return slices.IndexFunc(ticks, func(t plot.Tick) bool { return t.At == x }) }
	for _, l := range lines {
		for i := range l.Points[1:] {
			l.Points[i+1].Gap = place(l.Points[i+1].X) > place(l.Points[i].X)+1
		}
	}
}

// ticks returns a tick at each point, labelled with the words of the tables.
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

// dots draws the cases in order, the best first.
func (g group) dots(f *plot.Figure) {
	f.X, f.Y = f.Y, plot.Axis{}
	if g.chart.Floor {
		f.X.Reference = 1
	}
	for i := range g.cases {
		s := &g.cases[i]
		if e, ok := g.estimate(s); ok {
			f.Dots = append(f.Dots, plot.Dot{
				Label: g.label(s.Case), Colour: g.colour(s.Case),
				Value: e.Median, Low: e.Low, High: e.High, Text: g.written(e),
			})
		}
	}
	sortDots(f.Dots, !g.chart.Floor && g.betterIsHigher())
}

func sortDots(dots []plot.Dot, descending bool) {
	slices.SortStableFunc(dots, func(a, b plot.Dot) int {
		if descending {
			return cmp.Compare(b.Value, a.Value)
		}
		return cmp.Compare(a.Value, b.Value)
	})
}

// colour returns the colour of the case's library, the same in all figures.
func (g group) colour(c result.Case) int {
	return colourOf(libraryOf(g.chart.subject[0].value(c)))
}

// libraryOf is the first part of a stack's or a client's name.
func libraryOf(name string) string {
	library, _, _ := strings.Cut(name, "/")
	library, _, _ = strings.Cut(library, "+")
	return library
}

func (g group) betterIsHigher() bool {
	m, _ := g.cases[0].Metric(g.chart.Metric)
	return m.Better == result.Higher
}

// alongPercentiles draws a line for each case. Each further nine has the same room on the axis.
func (g group) alongPercentiles(f *plot.Figure) {
	f.X = plot.Axis{Label: g.chart.Axis}
	var values []float64
	for i := range g.cases {
		s := &g.cases[i]
		h, ok := histogramOf(s, g.chart.Histogram)
		if !ok {
			continue
		}
		line := plot.Line{Label: g.label(s.Case), Colour: g.colour(s.Case)}
		for _, p := range h.Percentiles() {
			if p.NS == nil {
				continue
			}
			at, ns := nines(p.Name), float64(*p.NS)
			values = append(values, ns)
			line.Points = append(line.Points, plot.Point{X: at, Y: ns, Text: p.Name + ": " + duration(ns)})
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

// nines is the position of a percentile: 1 for p90, 2 for p99, 3 for p99.9.
func nines(name string) float64 {
	var percent float64
	if _, err := fmt.Sscanf(name, "p%g", &percent); err != nil {
		return 0
	}
	return -math.Log10(1 - percent/100)
}
