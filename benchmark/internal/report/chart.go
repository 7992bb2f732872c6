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
	split    []parameter
	over     parameter // along the axis that lies; none where the chart has dots
}

func newChart(scenario string, c view.Chart) chart {
	return chart{Chart: c, scenario: scenario, split: fields(c.Split), over: byField[c.Over]}
}

// number is where a case lies along the axis.
func (c chart) number(one result.Case) float64 { return quantities[c.over.name](one) }

// Figures draws what there is to draw, in the order in which a page shows it.
// Cases that a verdict disqualifies are not in it.
func (r Report) Figures() []plot.Figure {
	styles := r.styles()
	var figures []plot.Figure
	for _, scenario := range r.scenarios() {
		figures = append(figures, r.figuresOf(scenario, styles)...)
	}
	return figures
}

func (r Report) figuresOf(scenario string, styles map[string]int) []plot.Figure {
	var figures []plot.Figure
	for _, shown := range r.layoutOf(scenario).Charts {
		c := newChart(scenario, shown)
		for _, group := range split(c.cases(r.Summaries), slices.Concat(c.split, []parameter{kind})) {
			if f, ok := c.of(group[0].Case).figure(group, styles); ok {
				figures = append(figures, f)
			}
		}
	}
	return figures
}

// of is the chart of the cases of one comparison, whose name is in the title then.
func (c chart) of(one result.Case) chart {
	if place := comparison(one); place >= 0 {
		c.split = slices.Concat([]parameter{kind}, c.split)
		c.Title += ": " + comparisons[place].kind
	}
	return c
}

// cases are those that the chart is about and that have a figure.
func (c chart) cases(all []result.Summary) []result.Summary {
	var kept []result.Summary
	for _, s := range all {
		if s.Case.Scenario == c.scenario && !s.Disqualified() && (c.Where == nil || c.Where(s.Case)) {
			kept = append(kept, s)
		}
	}
	return kept
}

// styles gives each stack a look of its own, the same in all figures, and each client
// where clients are compared.
func (r Report) styles() map[string]int {
	var names []string
	for _, s := range r.Summaries {
		names = append(names, compared(s.Case))
	}
	slices.Sort(names)
	styles := map[string]int{}
	for _, name := range slices.Compact(names) {
		styles[name] = len(styles)
	}
	return styles
}

// compared is what a figure tells apart: the stack or, where clients are compared, the
// client of a stack.
func compared(c result.Case) string {
	if c.ClientLanguage != "" {
		return c.Client + " → " + c.Stack
	}
	return c.Stack
}
