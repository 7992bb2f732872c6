package report

import (
	"slices"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
)

func (g group) valueLabel() string {
	v := g.chart
	for _, s := range g.cases {
		if m, ok := s.Metric(v.Metric); ok && !v.Floor {
			return v.Label + ", " + m.Unit
		}
	}
	if v.Floor {
		return v.Label + ", × floor"
	}
	return v.Label
}

// text writes the value of a tick or a point.
func (g group) text(v float64) string {
	switch {
	case g.chart.Histogram != "":
		return duration(v)
	case g.chart.Floor:
		return number(v) + "×"
	}
	return withCommas(number(v))
}

// point returns false if the case has no such value, or only a thin percentile.
func (g group) point(s *result.Summary) (plot.Point, bool) {
	e, ok := g.estimate(s)
	if !ok {
		return plot.Point{}, false
	}
	p := plot.Point{Y: e.Median, Low: e.Low, High: e.High}
	if g.chart.Axis != "" && !g.chart.Percentiles {
		p.X = g.chart.number(s.Case)
		p.Text = g.chart.over.phrase(s.Case) + ": " + g.written(e)
	}
	return p, true
}

// estimate returns the plotted value of a case.
func (g group) estimate(s *result.Summary) (result.Estimate, bool) {
	v := g.chart
	if v.Histogram != "" {
		ns, ok := percentile(s, v.Histogram, v.Percentile)
		return result.Estimate{N: 1, Median: ns, Low: ns, High: ns}, ok
	}
	m, ok := s.Metric(v.Metric)
	if !ok || !v.Floor {
		return m.Estimate, ok
	}
	return g.timesFloor(s, m)
}

// timesFloor says how many times the floor's time a stack needs, paired within rounds. It is false
// for the floor itself and if there is none.
func (g group) timesFloor(s *result.Summary, m result.MetricSummary) (result.Estimate, bool) {
	i := slices.IndexFunc(g.cases, func(other result.Summary) bool { return isFloor(other.Case.Stack) })
	if i < 0 || isFloor(s.Case.Stack) {
		return result.Estimate{}, false
	}
	floor, ok := g.cases[i].Metric(m.Name)
	if !ok {
		return result.Estimate{}, false
	}
	ratio, ok := timesFloor(m, floor)
	return result.Estimate{N: ratio.N, Median: ratio.Mean, Low: ratio.Low, High: ratio.High, HasInterval: ratio.Claimed}, ok
}

// written returns the estimate as a table shows it.
func (g group) written(e result.Estimate) string {
	switch {
	case g.chart.Histogram != "":
		return duration(e.Median)
	case g.chart.Floor:
		return times(result.Ratio{N: e.N, Mean: e.Median, Low: e.Low, High: e.High})
	}
	return figure(e)
}
