package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// parameter is one field of a case as a reader sees it.
type parameter struct {
	name  string
	value func(result.Case) string // empty where the parameter does not apply
	form  string                   // of the value in a sentence or a table's head
}

var (
	scenarioName   = parameter{"scenario", func(c result.Case) string { return c.Scenario }, "%s"}
	stackName      = parameter{"stack", func(c result.Case) string { return c.Stack }, "%s"}
	server         = parameter{"stack", stackName.value, "server: %s"} // where clients are compared
	replica        = parameter{"replica", func(c result.Case) string { return c.Replica }, "replica %s"}
	language       = parameter{"language", func(c result.Case) string { return c.Language }, "language: %s"}
	client         = parameter{"client", caller, "client: %s"}
	clientLanguage = parameter{"client language", func(c result.Case) string { return c.ClientLanguage }, "client language: %s"}
	mode           = parameter{"mode", func(c result.Case) string { return strings.ReplaceAll(c.Mode, "_", " ") }, "%s"}
	kind           = parameter{"kind", func(c result.Case) string { return c.Kind }, "%s"}
	direction      = parameter{"direction", func(c result.Case) string { return c.Direction }, "%s"}
	payload        = parameter{"payload", func(c result.Case) string { return Bytes(c.Payload) }, "%s"}
	concurrency    = parameter{"concurrency", inFlight, "concurrency %s"}
	connections    = parameter{"connections asked", func(c result.Case) string { return above(0, c.Connections) }, "%s connections asked for"}
	calls          = parameter{"calls", func(c result.Case) string { return above(0, c.Calls) }, "%s calls a round"}
	messages       = parameter{"messages", func(c result.Case) string { return above(1, c.Messages) }, "%s messages each way"}
	share          = parameter{"load", shareText, "%s of the capacity"}
	rate           = parameter{"arrivals", arrivals, "%s arrivals/s"}
)

// byField finds the parameter of a view's field.
var byField = map[view.Field]parameter{
	view.Stack: stackName, view.Replica: replica, view.Language: language, view.Client: client,
	view.ClientLanguage: clientLanguage, view.Kind: kind, view.Mode: mode, view.Direction: direction,
	view.Payload: payload, view.Concurrency: concurrency, view.Connections: connections, view.Calls: calls,
	view.Messages: messages, view.Load: share, view.Arrivals: rate,
}

func fields(names []view.Field) []parameter {
	found := make([]parameter, len(names))
	for i, name := range names {
		found[i] = byField[name]
	}
	return found
}

// who are the parameters that say who is measured; settings are the rest.
var (
	who      = []parameter{client, clientLanguage, replica, language}
	settings = []parameter{kind, mode, direction, payload, concurrency, connections, calls, messages, share, rate}
)

// quantities are the parameters whose values are numbers.
var quantities = map[string]func(result.Case) float64{
	payload.name:     func(c result.Case) float64 { return float64(c.Payload) },
	concurrency.name: func(c result.Case) float64 { return float64(c.Concurrency) },
	connections.name: func(c result.Case) float64 { return float64(c.Connections) },
	calls.name:       func(c result.Case) float64 { return float64(c.Calls) },
	messages.name:    func(c result.Case) float64 { return float64(c.Messages) },
	share.name:       func(c result.Case) float64 { return c.Load },
	rate.name:        func(c result.Case) float64 { return c.Rate },
}

// compareBy orders cases by the parameters, the first of them first, and numbers by
// their value.
func compareBy(parameters []parameter, a, b result.Case) int {
	for _, p := range parameters {
		order := strings.Compare(p.value(a), p.value(b))
		if number := quantities[p.name]; number != nil {
			order = cmp.Compare(number(a), number(b))
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// inFlight is empty where there are no calls, as in the codec scenario.
func inFlight(c result.Case) string {
	if c.Mode == "" {
		return ""
	}
	return grouped(c.Concurrency)
}

// caller is empty in the same cases.
func caller(c result.Case) string {
	if c.Mode == "" {
		return ""
	}
	return c.Client
}

// above writes n if it is above the limit, else nothing.
func above(limit, n int) string {
	if n <= limit {
		return ""
	}
	return grouped(n)
}

// shareText is empty where no share of a capacity was asked for.
func shareText(c result.Case) string {
	if c.Load == 0 {
		return ""
	}
	return number(100*c.Load) + "%"
}

func arrivals(c result.Case) string {
	if c.Rate == 0 {
		return ""
	}
	return strconv.FormatFloat(c.Rate, 'f', -1, 64)
}

// phrase is the parameter's value in words, or empty where it does not apply.
func (p parameter) phrase(c result.Case) string {
	value := p.value(c)
	switch {
	case value == "":
		return ""
	case value == "1" && p.name == calls.name:
		return "1 call a round"
	case value == "1" && p.name == connections.name:
		return "1 connection asked for"
	case c.Rate > 0 && p.name == concurrency.name:
		return "at most " + value + " in flight"
	}
	return fmt.Sprintf(p.form, value)
}

// key joins the values of the parameters: equal keys, equal values.
func key(parameters []parameter, c result.Case) string {
	values := make([]string, len(parameters))
	for i, p := range parameters {
		values[i] = p.value(c)
	}
	return strings.Join(values, "\x00")
}

// phrases joins what the parameters say in words.
func phrases(parameters []parameter, c result.Case) string {
	var words []string
	for _, p := range parameters {
		if text := p.phrase(c); text != "" {
			words = append(words, text)
		}
	}
	return strings.Join(words, ", ")
}

// varying keeps the parameters that do not have the same value in all cases.
func varying(parameters []parameter, cases []result.Summary) []parameter {
	var kept []parameter
	for _, p := range parameters {
		differs := func(s result.Summary) bool { return p.value(s.Case) != p.value(cases[0].Case) }
		if slices.ContainsFunc(cases, differs) {
			kept = append(kept, p)
		}
	}
	return kept
}

// dropRedundant removes those of the dispensable parameters that are not needed to tell the cases
// apart.
func dropRedundant(cases []result.Summary, by []parameter, dispensable ...parameter) []parameter {
	for _, p := range dispensable {
		fewer := without(by, []parameter{p})
		if list := caseList(cases); len(distinct(list, fewer)) == len(distinct(list, by)) {
			by = fewer
		}
	}
	return by
}

// without leaves out the parameters that one of the lists holds.
func without(parameters []parameter, lists ...[]parameter) []parameter {
	var kept []parameter
	for _, p := range parameters {
		same := func(other parameter) bool { return other.name == p.name }
		if !slices.ContainsFunc(slices.Concat(lists...), same) {
			kept = append(kept, p)
		}
	}
	return kept
}
