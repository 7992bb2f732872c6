package view

import "example.com/greet/benchmark/internal/result"

// Chart says how cases of a scenario become figures. Parameters that it does not name appear in the
// labels of lines or dots. A figure without cases is left out.
type Chart struct {
	Name  string // of the figure's file, before what Split adds
	Title string
	Where func(result.Case) bool // chooses cases; nil for all
	Split []Field                // there is a figure for each combination of their values
	// Over is the number along the horizontal axis, with Axis as its label. Lines run over it.
	// Without Over there is a dot for each case.
	Over Field
	Axis string
	// Percentiles says that each case has a line over the percentiles of Histogram.
	Percentiles bool
	// One of these says what is plotted: a metric, a percentile of a histogram such as p99, or,
	// with Percentiles, the whole histogram.
	Metric     string
	Histogram  string
	Percentile string
	// Label names what is plotted; its unit follows.
	Label string
	Floor bool // as a multiple of the floor's time
	Log   bool // a logarithmic axis also where values span less than a decade
}

// OverConcurrency makes lines run over the number of calls in flight.
func (c Chart) OverConcurrency() Chart {
	c.Over, c.Axis = Concurrency, "calls in flight"
	return c
}

// OverPercentiles makes the lines run over the percentiles of the histogram.
func (c Chart) OverPercentiles() Chart {
	c.Percentiles, c.Axis = true, "percentile"
	return c
}

// InMode chooses the cases of a mode.
func InMode(mode string) func(result.Case) bool {
	return func(c result.Case) bool { return c.Mode == mode }
}

// OneSmallCall chooses one small call at a time: nothing waits, so the cost of the framework shows
// best.
func OneSmallCall(c result.Case) bool {
	return c.Mode == "unary" && c.Concurrency == 1 && c.Payload <= 1024
}
