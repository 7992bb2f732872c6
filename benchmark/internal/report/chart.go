package report

import (
	"slices"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
)

// chart says how cases of a scenario become figures. Like a layout it is a matter
// of taste, never of truth: whatever it does not place tells lines apart, by
// their labels. A figure for which there are no cases is left out.
type chart struct {
	name     string // of the file, before what the split adds
	title    string
	scenario string
	where    func(result.Case) bool // nil for all cases
	split    []parameter            // a figure for each of their combinations
	over     variable               // along the axis that lies; bars where it has no label
	value    measure
}

// variable is what a line runs over.
type variable struct {
	label     string
	parameter parameter
	number    func(result.Case) float64
	// percentiles says that a line runs over those of the measure's histogram, so
	// that there is one for each case.
	percentiles bool
}

// measure is what is plotted of a case.
type measure struct {
	label      string // of the axis; the metric's unit follows where there is one
	metric     string
	histogram  string
	percentile string
	floor      bool // as a multiple of the floor's figure
	log        bool // also where values span less than a decade
}

var (
	byConcurrency = variable{label: "calls in flight", parameter: concurrency, number: func(c result.Case) float64 { return float64(c.Concurrency) }}
	byConnections = variable{label: "connections", parameter: connections, number: func(c result.Case) float64 { return float64(c.Connections) }}
	byPayload     = variable{label: "size of the message", parameter: payload, number: func(c result.Case) float64 { return float64(c.Payload) }}
	byLoad        = variable{label: "arrivals, as a share of the closed loop's capacity", parameter: share, number: func(c result.Case) float64 { return c.Load }}
	byPercentile  = variable{label: "percentile", percentiles: true}
)

// charts lists the figures in the order of the report.
var charts = []chart{
	{
		name: "family-rate", title: "Throughput by concurrency", scenario: "family", where: inMode("unary"),
		split: []parameter{payload}, over: byConcurrency, value: measure{label: "throughput", metric: "rate"},
	},
	{
		name: "family-large", title: "Throughput with large messages", scenario: "family", where: inMode("unary"),
		split: []parameter{payload}, value: measure{label: "throughput, one direction", metric: "throughput"},
	},
	{
		name: "family-bidi", title: "Messages on one bidirectional stream", scenario: "family", where: inMode("bidi"),
		split: []parameter{payload}, value: measure{label: "messages", metric: "message_rate"},
	},
	{
		name: "family-floor", title: "How much of a call is the framework?", scenario: "family", where: oneSmallCall,
		split: []parameter{payload}, value: measure{label: "time for a call", metric: "rate", floor: true},
	},
	{
		name: "unary-rate", title: "Throughput by concurrency", scenario: "unary",
		split: []parameter{payload}, over: byConcurrency, value: measure{label: "throughput", metric: "rate"},
	},
	{
		name: "unary-latency", title: "Latency by percentile", scenario: "unary", where: ofSmallCalls,
		split: []parameter{payload, concurrency}, over: byPercentile, value: measure{label: "latency", histogram: "latency"},
	},
	{
		name: "unary-floor", title: "How much of a call is the framework?", scenario: "unary", where: oneSmallCall,
		split: []parameter{payload}, value: measure{label: "time for a call", metric: "rate", floor: true},
	},
	{
		name: "fixed-cost", title: "Where does the time of a small call go?", scenario: "fixed-cost", where: byOwnClient,
		split: []parameter{payload}, value: measure{label: "median call", metric: "median_call"},
	},
	knee("open", "p50", "Median latency under load"),
	knee("open", "p99", "p99 latency under load: where is the knee?"),
	{
		name: "open-latency", title: "Latency at a tenth of the capacity, from when calls should have been sent", scenario: "open",
		where: atOneTenth, split: []parameter{payload}, over: byPercentile, value: measure{label: "latency", histogram: "latency"},
	},
	{
		name: "open-service", title: "Service time at a tenth of the capacity, from when calls were sent", scenario: "open",
		where: atOneTenth, split: []parameter{payload}, over: byPercentile, value: measure{label: "service time", histogram: "service"},
	},
	knee("open-poisson", "p50", "Median latency under load that comes in bursts"),
	knee("open-poisson", "p99", "p99 latency under load that comes in bursts"),
	{
		name: "channels-rate", title: "Throughput by number of connections", scenario: "channels",
		split: []parameter{payload, concurrency}, over: byConnections, value: measure{label: "throughput", metric: "rate"},
	},
	{
		name: "server-stream-rate", title: "Messages received on server streams", scenario: "server-stream",
		split: []parameter{payload, concurrency}, value: measure{label: "messages", metric: "message_rate"},
	},
	{
		name: "server-stream-gap", title: "Gap between the messages of a stream, by percentile", scenario: "server-stream",
		split: []parameter{payload, concurrency}, over: byPercentile, value: measure{label: "gap", histogram: "gap"},
	},
	{
		name: "client-stream-time", title: "Time for a client stream", scenario: "client-stream",
		split: []parameter{messages, concurrency}, value: measure{label: "time per call", metric: "time_per_call"},
	},
	{
		name: "bidi-pingpong", title: "Round trip on one stream, by percentile", scenario: "bidi-pingpong",
		split: []parameter{payload}, over: byPercentile, value: measure{label: "round trip", histogram: "round_trip"},
	},
	{
		name: "bidi-flood", title: "Messages received on one stream that both ends flood", scenario: "bidi-flood",
		split: []parameter{payload}, value: measure{label: "messages", metric: "message_rate"},
	},
	{
		name: "cost-cpu", title: "What a small call takes of the server, in user mode", scenario: "cost", where: plainSmallCall,
		split: []parameter{payload, concurrency}, value: measure{label: "processor time", metric: "cpu_user_per_call_server"},
	},
	{
		name: "codec-throughput", title: "Encoding and decoding by size", scenario: "codec",
		split: []parameter{direction}, over: byPayload, value: measure{label: "throughput", metric: "throughput", log: true},
	},
}

// knee shows how much load a server bears before calls wait for each other.
func knee(scenario, percentile, title string) chart {
	return chart{
		name: scenario + "-" + percentile, title: title, scenario: scenario, split: []parameter{payload}, over: byLoad,
		value: measure{label: "latency from the intended send time, " + percentile, histogram: "latency", percentile: percentile},
	}
}

func inMode(mode string) func(result.Case) bool {
	return func(c result.Case) bool { return c.Mode == mode }
}

// byOwnClient leaves out what the floor client measures of the same stacks.
func byOwnClient(c result.Case) bool { return c.Client == "own" }

// ofSmallCalls spares the reader a figure for every size. Open loops have this one.
func ofSmallCalls(c result.Case) bool { return c.Payload == 16 }

// atOneTenth is an open loop that a server bears with ease, so that what delays
// calls is something else.
func atOneTenth(c result.Case) bool { return c.Load == 0.1 }

// oneSmallCall is the case in which the framework weighs most and nothing waits.
func oneSmallCall(c result.Case) bool {
	return c.Mode == "unary" && c.Concurrency == 1 && c.Payload <= 1024
}

// plainSmallCall has nothing in it that another kind is about.
func plainSmallCall(c result.Case) bool {
	return c.Mode == "unary" && c.Kind == "" && c.Payload == 16 && c.Concurrency == 1
}

// Figures draws what there is to draw, in the order in which a page shows it.
// Cases that a verdict disqualifies are not in it.
func (r Report) Figures() []plot.Figure {
	styles := r.styles()
	var figures []plot.Figure
	for _, scenario := range scenarios(r.Summaries) {
		figures = append(figures, r.figuresOf(scenario, styles)...)
	}
	return figures
}

func (r Report) figuresOf(scenario string, styles map[string]int) []plot.Figure {
	var figures []plot.Figure
	for _, c := range charts {
		if c.scenario != scenario {
			continue
		}
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
		c.title += ": " + comparisons[place].kind
	}
	return c
}

// cases are those that the chart is about and that have a figure.
func (c chart) cases(all []result.Summary) []result.Summary {
	var kept []result.Summary
	for _, s := range all {
		if s.Case.Scenario == c.scenario && !s.Disqualified() && (c.where == nil || c.where(s.Case)) {
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
