package report

import (
	"slices"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// chart is a view's chart of one scenario.
type chart struct {
	view.Chart
	scenario string
	subject  []parameter // its values label the lines
	split    []parameter
	over     parameter // along the horizontal axis; none for a chart of dots
}

func newChart(scenario string, c view.Chart) chart {
	return chart{Chart: c, scenario: scenario, split: fields(c.Split), over: byField[c.Over]}
}

// number is the position of a case along the axis.
func (c chart) number(one result.Case) float64 { return quantities[c.over.name](one) }

// Figures draws all figures, in the order in which a page shows them. They leave out cases that a
// verdict disqualifies.
func (r Report) Figures() []plot.Figure {
	var figures []plot.Figure
	for _, scenario := range r.scenarios() {
		figures = append(figures, r.figuresOf(scenario)...)
	}
	return figures
}

// figuresOf draws one scenario: its answers, and what its view asks for.
func (r Report) figuresOf(scenario string) []plot.Figure {
	var figures []plot.Figure
	for _, a := range r.answers(scenario) {
		figures = append(figures, a.picture())
	}
	return append(figures, r.chartsOf(scenario)...)
}

// chartsOf draws what the scenario's view asks for.
func (r Report) chartsOf(scenario string) []plot.Figure {
	var figures []plot.Figure
	contests := r.contests(scenario)
	for _, shown := range r.layoutOf(scenario).Charts {
		c := newChart(scenario, shown)
		for _, one := range contests {
			chosen := c.of(one)
			for _, cases := range split(chosen.cases(one.cases), chosen.split) {
				if f, ok := chosen.figure(cases); ok {
					figures = append(figures, f)
				}
			}
		}
	}
	return figures
}

// of returns the chart for one contest, whose cases appear in no other.
func (c chart) of(one contest) chart {
	c.subject = one.subject
	c.split = slices.Concat(one.kind, without(c.split, one.kind, one.held), one.held)
	if place := comparison(one.cases[0].Case); place >= 0 {
		c.Title += ": " + comparisons[place].kind
	}
	return c
}

// cases returns those that the chart is about and that have a figure. A stack under a second name
// shows the noise, which the remarks give.
func (c chart) cases(all []result.Summary) []result.Summary {
	var kept []result.Summary
	for _, s := range all {
		if s.Case.Scenario == c.scenario && s.Case.Replica == "" && !s.Disqualified() && (c.Where == nil || c.Where(s.Case)) {
			kept = append(kept, s)
		}
	}
	return kept
}
