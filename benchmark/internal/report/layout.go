package report

import (
	"cmp"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// layout says how the cases of a scenario become tables. Whatever it does not
// place is printed above the table if it is the same for all cases, and told
// apart by columns if not, so a layout is a matter of taste, never of truth.
type layout struct {
	scenario    string
	about       string      // one sentence above its tables
	split       []parameter // a table for each of their combinations
	rows        []parameter // tell rows apart, after the stack
	across      []parameter // tell columns apart
	metrics     []string    // that are shown, in this order, by name or as "beginning…"; all if there are none
	connections bool        // have a column
	speedUp     bool        // of the last column over the first has a column
	// shortWindows says that fixed counts make windows short, which is then said
	// once above the tables instead of beside each figure.
	shortWindows bool
	// floorBy is the metric of which the column × floor is, where that is not the
	// rate; overFloor are those that have a column for the difference to the floor.
	floorBy   string
	overFloor []string
	// plain says that there is a column for what variants change.
	plain bool
	// unfloored says that a column × floor would say nothing.
	unfloored bool
}

// layouts lists the scenarios in the order of the report.
var layouts = []layout{
	{
		scenario:    "unary",
		about:       "Calls kept in flight for a time; each call is made as soon as one before it is done.",
		split:       []parameter{payload},
		across:      []parameter{concurrency},
		connections: true,
		speedUp:     true,
	},
	openLoop("open", "Calls arrive at equal intervals, at a rate that does not wait for the server: a share of what the closed\n"+
		"loop achieves. Latency runs from the moment at which a call should have been sent, so that a stall counts in full;\n"+
		"service time runs from when it was sent."),
	openLoop("open-poisson", "The same with arrivals that know nothing of each other, as those of many users."),
	{
		scenario:    "open-fixed",
		about:       "Calls arrive at equal intervals, at one rate for every stack. Latency runs from the moment at which a call should\nhave been sent.",
		split:       []parameter{payload},
		metrics:     []string{"rate", result.Late, result.Unsent},
		connections: true,
	},
	{
		scenario: "channels",
		about:    "Do more connections help a stack that could do with one?",
		split:    []parameter{payload},
		across:   []parameter{connections},
		speedUp:  true,
	},
	streams("server-stream", "Messages as the client receives them."),
	streams("client-stream", "A few messages per call, and one reply."),
	streams("bidi-pingpong", "One message out, one back: the next is sent when the reply to the one before has come."),
	streams("bidi-flood", "Both ends send as fast as they can. Counted is what comes back."),
	{
		scenario:    "idle",
		about:       "What the server holds in memory for what does nothing.",
		split:       []parameter{mode, payload},
		connections: true,
	},
	{
		scenario: "fixed-cost",
		about: "One small call at a time, up a ladder of stacks: what each rung adds is what it costs. Own clients allocate in the client's\n" +
			"column also what the load engine does for a call; in process (inproc), both ends do.",
		split:       []parameter{client, payload},
		metrics:     []string{"time_per_call", "median_call", "client_allocations", "server_allocations"},
		connections: true,
		floorBy:     "median_call",
		plain:       true,
		overFloor:   []string{"median_call", "client_allocations", "server_allocations"},
	},
	engine("engine", "Load generators, each a process of its own, against the same servers in turn. Of the tools only the floor looks at a reply."),
	engine("engine-streams", "The load engine of this repository with few and with many calls in flight."),
	engine("engine-refused", "What the tools report of a server that refuses every call."),
	{
		scenario: "cost",
		about: "What a call takes of either process, or a message of a long stream. The client's share has the load engine in it. System\n" +
			"calls are counted in slices of their own, for strace slows down all else.",
		split:        []parameter{kind, mode, payload, messages},
		across:       []parameter{concurrency},
		metrics:      []string{"start…", "allocations…", "allocated_bytes…", "wire_bytes…", "syscalls…", "switches…", "cpu…", "instructions…"},
		shortWindows: true,
	},
	{
		scenario:     "family",
		about:        "The fixed counts of the sibling demos in other languages.",
		split:        []parameter{mode, payload, messages},
		across:       []parameter{concurrency},
		connections:  true,
		speedUp:      true,
		shortWindows: true,
	},
	{
		scenario: interop,
		about: "Who understands whom? Each client calls each server with its own library, and checks each reply. In a cell, a letter says\n" +
			"that a mode works: U unary, S server stream, C client stream, B bidi. ✗: it does not. –: one of the two does not carry it.",
	},
	{
		scenario: "codec",
		about:    "GreetRequest in process, without any RPC: what a message costs before a stack sees it.",
		rows:     []parameter{direction},
		across:   []parameter{payload},
		metrics:  []string{"throughput"},
	},
}

// layoutOf also serves scenarios that the list does not have.
func layoutOf(scenario string) layout {
	for _, l := range layouts {
		if l.scenario == scenario {
			return l
		}
	}
	l := streams(scenario, "")
	l.split, l.rows = []parameter{mode, payload}, []parameter{direction}
	return l
}

// place is where a metric stands among those that are shown, and -1 if it is not.
func (l layout) place(metric string) int {
	return slices.IndexFunc(l.metrics, func(shown string) bool {
		beginning, open := strings.CutSuffix(shown, "…")
		return shown == metric || open && strings.HasPrefix(metric, beginning)
	})
}

// streams lays out what has no parameter that stands out.
func streams(scenario, about string) layout {
	return layout{
		scenario:    scenario,
		about:       about,
		split:       []parameter{payload},
		across:      []parameter{concurrency, connections, messages, rate},
		connections: true,
	}
}

// engine has rows for clients: it is they that are compared.
func engine(scenario, about string) layout {
	return layout{
		scenario:    scenario,
		about:       about,
		split:       []parameter{payload},
		rows:        []parameter{concurrency},
		metrics:     []string{"rate", "client_cpu", "client_memory"},
		connections: true,
		unfloored:   true,
	}
}

// openLoop has a row for each share of the capacity, beside its percentiles.
func openLoop(scenario, about string) layout {
	return layout{
		scenario:    scenario,
		about:       about,
		split:       []parameter{payload},
		rows:        []parameter{share},
		metrics:     []string{"rate", result.Late, result.Unsent},
		connections: true,
	}
}

// comparisons are the kinds of cases in which several languages take part, each with
// what its tables show.
var comparisons = []struct{ kind, about string }{
	{"servers", "Servers compared: each is called by the same client, so that only the servers differ."},
	{"clients", "Clients compared: each calls the same server, so that only the clients differ."},
	{"pairs", "Pairs: each client calls the server of its own library, as the sibling demos measure it."},
}

// comparison is the place of the case's kind among them, or -1.
func comparison(c result.Case) int {
	return slices.IndexFunc(comparisons, func(known struct{ kind, about string }) bool { return known.kind == c.Kind })
}

// yardstick reports whether a stack is there to be measured against, and so is
// never called the best.
func yardstick(stack string) bool {
	library, _, _ := strings.Cut(stack, "/")
	return library == "copy" || library == "bare" || library == "floor"
}

// isFloor reports whether a stack is the hand-framed one that others are measured
// against. A variant of it is one of those others.
func isFloor(stack string) bool {
	return strings.HasPrefix(stack, "floor/") && !strings.Contains(stack, "+")
}

// distinctStacks lists the stacks of the summaries by name.
func distinctStacks(summaries []result.Summary) []string {
	var names []string
	for _, s := range summaries {
		names = append(names, s.Case.Stack)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// scenarios lists the scenarios of the summaries: first those of layouts, then
// the others by name.
func scenarios(summaries []result.Summary) []string {
	var names []string
	for _, s := range summaries {
		names = append(names, s.Case.Scenario)
	}
	place := func(name string) int {
		i := slices.IndexFunc(layouts, func(l layout) bool { return l.scenario == name })
		if i < 0 {
			return len(layouts)
		}
		return i
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	return slices.Compact(names)
}
