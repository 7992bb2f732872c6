package report

import (
	"cmp"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// comparisons are the kinds of cases with several languages, each with an explanation of its
// tables.
var comparisons = []struct{ kind, about string }{
	{"servers", "Servers compared: each is called by the same client, so that only the servers differ."},
	{clientsKind, "Clients compared: each calls the same server, so that only the clients differ."},
	{pairsKind, "Pairs: each client calls the server of its own library, as the sibling demos measure it."},
}

const (
	clientsKind = "clients"
	pairsKind   = "pairs"
	ownClient   = "own" // a stack's own client: each such stack is a pair
)

// comparison returns the place of the case's kind among comparisons, or -1.
func comparison(c result.Case) int {
	return slices.IndexFunc(comparisons, func(known struct{ kind, about string }) bool { return known.kind == c.Kind })
}

// comparisonKind is empty for kinds that are no comparison.
func comparisonKind(c result.Case) string {
	if comparison(c) < 0 {
		return ""
	}
	return c.Kind
}

// contest is cases of one scenario that may stand side by side: one client calls them all, or each
// has its own, or the clients are compared and call one server.
type contest struct {
	layout
	cases []result.Summary
	kind  []parameter // the kind of comparison, if it is one
	held  []parameter // the parameters that set this contest apart from others of its kind
}

// contests splits the cases of a scenario.
func (r Report) contests(scenario string) []contest {
	cases := slices.DeleteFunc(slices.Clone(r.Summaries), func(s result.Summary) bool { return s.Case.Scenario != scenario })
	slices.SortStableFunc(cases, func(a, b result.Summary) int { return cmp.Compare(comparison(a.Case), comparison(b.Case)) })
	var contests []contest
	for _, kindred := range groupBy(cases, comparisonKind) {
		contests = append(contests, newContests(r.layoutOf(scenario), kindred)...)
	}
	return contests
}

// newContests splits cases of one comparison by what must not differ in it.
func newContests(l layout, cases []result.Summary) []contest {
	held := []parameter{client, clientLanguage}
	switch cases[0].Case.Kind {
	case clientsKind:
		l.subject = []parameter{client, clientLanguage}
	case pairsKind:
		l.split, held = without(l.split, held), nil
	}
	if l.subject[0].name == client.name {
		held = []parameter{server}
	}
	if place := comparison(cases[0].Case); place >= 0 {
		l.About = strings.TrimLeft(l.About+"\n"+comparisons[place].about, "\n")
		l.split = slices.Concat([]parameter{kind}, without(l.split, []parameter{kind}))
	}
	cases = namingOwnClients(cases)
	held = varying(held, cases)
	l.split = slices.Concat(without(l.split, held), held)
	one := contest{layout: l, held: held}
	if comparison(cases[0].Case) >= 0 {
		one.kind = []parameter{kind}
	}
	var contests []contest
	for _, group := range groupBy(cases, func(c result.Case) string { return key(held, c) }) {
		one.cases = group
		contests = append(contests, one)
		one.About = ""
	}
	return contests
}

// namingOwnClients names a stack's own client after its library if that client calls other stacks
// too, so that they count as called by the same one.
func namingOwnClients(cases []result.Summary) []result.Summary {
	cases = slices.Clone(cases)
	named := map[string]bool{} // by client, and by client and stack
	for _, s := range cases {
		named[s.Case.Client] = true
		named[s.Case.Client+" "+s.Case.Stack] = true
	}
	for i := range cases {
		c := &cases[i].Case
		library, _, _ := strings.Cut(c.Stack, "/")
		if c.Client == ownClient && named[library] && !named[library+" "+c.Stack] {
			c.Client = library
		}
	}
	return cases
}

// groupBy splits cases by a text, in the order in which each comes first.
func groupBy(cases []result.Summary, of func(result.Case) string) [][]result.Summary {
	var groups [][]result.Summary
	at := map[string]int{}
	for _, s := range cases {
		k := of(s.Case)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}
