// Package view lets a scenario say how its results are shown: which tables and figures, what is
// compared, and which question they answer.
//
// It is data. It does not know how a table or a figure is made, nor any scenario by name.
package view

import (
	"cmp"
	"slices"

	"example.com/greet/benchmark/internal/result"
)

// View says how the results of one scenario are shown. A view changes the layout but hides nothing:
// settings that all cases share stand above a table, those that vary tell its rows or columns
// apart, and a scenario without a view still has a table.
type View struct {
	// Scenario is the name of the scenario that the view belongs to. Whoever lists the
	// views fills it in.
	Scenario string
	// About is what a reader must know of the measurement: one or two sentences above
	// the first table, in lines that may be broken by \n.
	About string
	// Compares is what tells rows apart first: Stack, which is the default, or Client
	// where the clients are under test and each calls the same server.
	Compares Field
	Split    []Field // there is a table for each combination of their values
	Rows     []Field // tell rows apart, after the stack
	Across   []Field // tell columns apart
	// Metrics lists the metrics that have columns, in their order, by name or as
	// "beginning…". With none listed all have.
	Metrics []string
	// Inputs lists the metrics that the measurement sets, such as a rate of arrivals.
	// They are shown, but none is better than another.
	Inputs      []string
	Connections bool // the number of connections has a column
	SpeedUp     bool // the last column over the first has a column
	// ShortWindows says that fixed counts make the windows short. One note above the table then
	// says so instead of a mark at each figure, and the table has no percentiles.
	ShortWindows bool
	Floor        Floor
	// Variants says that there is a column for what a variant of a stack changes.
	Variants bool
	// Compatibility says that cases have no figure: they show who understands whom, in
	// a grid of servers and clients.
	Compatibility bool
	Charts        []Chart
	// Question is what the first screen of a report answers. Without one the scenario
	// has tables alone.
	Question *Question
}

// Floor says how stacks are compared with the hand-framed one.
type Floor struct {
	None   bool   // there is no comparison, because it would say nothing
	Metric string // whose ratio is shown; the rate, or the only metric, if it is empty
	// Above lists metrics that have a column for how far they are above the floor's.
	Above []string
}

// Question is what a ranking of the cases answers.
type Question struct {
	Metric string
	// Claim says what the first has of the second's, with %s for the factor, such as
	// "serves %s times the calls of".
	Claim string
	// Prefer chooses the cases that are ranked, where they were measured. Other cases
	// are ranked if there are none such.
	Prefer func(result.Case) bool
}

// Field names a parameter of a case as a table's head does.
type Field string

// The parameters of a case, in the order in which they describe it.
const (
	Stack          Field = "stack"
	Replica        Field = "replica"
	Language       Field = "language"
	Client         Field = "client"
	ClientLanguage Field = "client language"
	Kind           Field = "kind"
	Mode           Field = "mode"
	Direction      Field = "direction"
	Payload        Field = "payload"
	Concurrency    Field = "concurrency"
	Connections    Field = "connections asked"
	Calls          Field = "calls"
	Messages       Field = "messages"
	Load           Field = "load"
	Arrivals       Field = "arrivals"
)

// Order sorts names of scenarios as the views list them; names without a view come
// last, by name. Each name comes once.
func Order(views []View, names []string) []string {
	place := func(name string) int {
		if i := Index(views, name); i >= 0 {
			return i
		}
		return len(views)
	}
	sorted := slices.SortedFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	return slices.Compact(sorted)
}

// Index is where the view of the scenario is, or -1.
func Index(views []View, scenario string) int {
	return slices.IndexFunc(views, func(v View) bool { return v.Scenario == scenario })
}

// Of returns the view of the scenario, or one that suits any.
func Of(views []View, scenario string) View {
	if i := Index(views, scenario); i >= 0 {
		return views[i]
	}
	v := Streams("")
	v.Scenario, v.Split, v.Rows = scenario, []Field{Mode, Payload}, []Field{Direction}
	return v
}

// Streams is the view of a scenario in which no parameter stands out.
func Streams(about string) View {
	return View{
		About:       about,
		Split:       []Field{Payload},
		Across:      []Field{Concurrency, Connections, Messages, Arrivals},
		Connections: true,
	}
}
