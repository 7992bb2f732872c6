package report

import (
	"cmp"
	"slices"
	"strings"

	"example.com/greet/internal/result"
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
	metrics     []string    // that are shown, in this order; all if there are none
	connections bool        // have a column
	speedUp     bool        // of the last column over the first has a column
	// shortWindows says that fixed counts make windows short, which is then said
	// once above the tables instead of beside each figure.
	shortWindows bool
}

// layouts lists the scenarios in the order of the report.
var layouts = []layout{
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
	return layout{
		scenario:    scenario,
		split:       []parameter{mode, payload},
		rows:        []parameter{direction},
		across:      []parameter{concurrency, connections, messages, rate},
		connections: true,
	}
}

// yardstick reports whether a stack is there to be measured against, and so is
// never called the best.
func yardstick(stack string) bool {
	library, _, _ := strings.Cut(stack, "/")
	return library == "floor" || library == "copy"
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
