package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// interopModes are the modes in the order of a cell, each with the letter that says that it works.
var interopModes = []struct{ mode, letter string }{
	{"unary", "U"}, {"server_stream", "S"}, {"client_stream", "C"}, {"bidi", "B"},
}

const failedMode = "✗"

// wire is the protocol and transport of a case.
var wire = parameter{"wire", func(c result.Case) string {
	protocol, transport := wireOf(c.Stack)
	return protocol + " over " + transport
}, "%s"}

func wireOf(stack string) (protocol, transport string) {
	plain, _, _ := strings.Cut(stack, "+")
	parts := append(strings.Split(plain, "/"), "", "")
	return parts[1], parts[2]
}

// clientStack is the stack whose client calls in the case.
func clientStack(c result.Case) string {
	library, variants, _ := strings.Cut(c.Client, "+")
	protocol, transport := wireOf(c.Stack)
	return strings.TrimSuffix(library+"/"+protocol+"/"+transport+"+"+variants, "+")
}

// gridTables returns a table for each protocol and transport, with a row for each server and a
// column for each client.
func (r Report) gridTables(scenario string) []table {
	cases := slices.DeleteFunc(slices.Clone(r.Summaries), func(s result.Summary) bool { return s.Case.Scenario != scenario })
	slices.SortStableFunc(cases, func(a, b result.Summary) int { return compareBy([]parameter{wire}, a.Case, b.Case) })
	var tables []table
	for len(cases) > 0 {
		end := slices.IndexFunc(cases, func(s result.Summary) bool { return wire.value(s.Case) != wire.value(cases[0].Case) })
		if end < 0 {
			end = len(cases)
		}
		tables = append(tables, newMeeting(cases[:end], r.Refusals).table())
		cases = cases[end:]
	}
	if len(tables) > 0 {
		tables[0].About = r.layoutOf(scenario).About
	}
	return tables
}

// meeting is the servers and clients of one protocol and transport, sorted by language.
type meeting struct {
	cases    []result.Summary
	servers  []result.Case // one that stands for each
	clients  []result.Case
	at       map[[3]string]*result.Summary // by server, client and mode
	refusals map[[2]string]string          // reasons by stack and mode
}

func newMeeting(cases []result.Summary, refusals []Refusal) *meeting {
	m := &meeting{cases: cases, at: map[[3]string]*result.Summary{}, refusals: map[[2]string]string{}}
	for i := range cases {
		c := cases[i].Case
		m.at[[3]string{c.Stack, c.Client, c.Mode}] = &cases[i]
	}
	for _, r := range refusals {
		m.refusals[[2]string{r.Stack, r.Mode}] = r.Reason
	}
	m.servers = distinct(caseList(cases), []parameter{stackName})
	slices.SortFunc(m.servers, func(a, b result.Case) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Stack, b.Stack))
	})
	m.clients = distinct(caseList(cases), []parameter{client})
	slices.SortFunc(m.clients, func(a, b result.Case) int {
		return cmp.Or(cmp.Compare(a.ClientLanguage, b.ClientLanguage), cmp.Compare(a.Client, b.Client))
	})
	return m
}

func (m *meeting) table() table {
	t := table{
		Title: m.cases[0].Case.Scenario + ": " + wire.value(m.cases[0].Case), Facts: m.facts(), Once: []string{m.languages()},
		Heads: []head{{Text: "server"}, {Text: "language"}}, names: 2,
		Notes: slices.Concat(m.failures(), m.dashes()),
	}
	for _, c := range m.clients {
		t.Heads = append(t.Heads, head{Text: c.Client})
	}
	for _, server := range m.servers {
		row := []cell{{Text: server.Stack, Code: true}, {Text: server.Language}}
		for _, c := range m.clients {
			row = append(row, m.cell(server, c))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cell returns a sign for each mode.
func (m *meeting) cell(server, by result.Case) cell {
	var signs strings.Builder
	for _, one := range interopModes {
		switch s := m.at[[3]string{server.Stack, by.Client, one.mode}]; {
		case s == nil:
			signs.WriteString(dash)
		case s.Disqualified():
			signs.WriteString(failedMode)
		default:
			signs.WriteString(one.letter)
		}
	}
	return cell{Text: signs.String()}
}

// understood is the answer of a compatibility grid, or empty.
func (r Report) understood() string {
	cases := slices.DeleteFunc(slices.Clone(r.Summaries), func(s result.Summary) bool { return !r.layoutOf(s.Case.Scenario).Compatibility })
	if len(cases) == 0 {
		return ""
	}
	return workingOf(cases) + " of client, server and mode work."
}

// workingOf says how many of the cases work.
func workingOf(cases []result.Summary) string {
	good := 0
	for _, s := range cases {
		if !s.Disqualified() {
			good++
		}
	}
	return fmt.Sprintf("%s of %s combinations", grouped(good), grouped(len(cases)))
}

// facts says how much works, and how many calls were made to find out.
func (m *meeting) facts() []string {
	most := 0
	for _, s := range m.cases {
		most = max(most, s.Case.Messages)
	}
	facts := []string{workingOf(m.cases) + " work"}
	for _, p := range without(settings, []parameter{mode}, varying(settings, m.cases)) {
		if text := p.phrase(m.cases[0].Case); text != "" {
			facts = append(facts, text)
		}
	}
	if most > 1 {
		facts = append(facts, fmt.Sprintf("streams of %s messages", grouped(most)))
	}
	return facts
}

// languages says which language each client is in.
func (m *meeting) languages() string {
	var languages []string
	for i, c := range m.clients {
		if i > 0 && c.ClientLanguage == m.clients[i-1].ClientLanguage {
			languages[len(languages)-1] += ", " + plain(c.Client)
			continue
		}
		languages = append(languages, "in "+plain(c.ClientLanguage)+": "+plain(c.Client))
	}
	return "Clients " + strings.Join(languages, "; ") + "."
}

// failures lists each failure with its two sides and its first error.
func (m *meeting) failures() (notes []string) {
	m.each(func(server, by result.Case, mode string) {
		s := m.at[[3]string{server.Stack, by.Client, mode}]
		if s == nil || !s.Disqualified() {
			return
		}
		what := strings.Join(disqualifying(s.Verdicts), ", ")
		if len(s.Errors) > 0 {
			what = whatFailed(*s)
		}
		notes = append(notes, fmt.Sprintf("%s %s (%s) calls %s (%s), %s: %s.", failedMode,
			code(by.Client), plain(by.ClientLanguage), code(server.Stack), plain(server.Language), words(mode), what))
	})
	return notes
}

// dashes lists the known reasons for which modes were not called, each once.
func (m *meeting) dashes() (notes []string) {
	unknown := false
	m.each(func(server, by result.Case, mode string) {
		if m.at[[3]string{server.Stack, by.Client, mode}] != nil {
			return
		}
		known := false
		for _, stack := range []string{server.Stack, clientStack(by)} {
			reason := m.refusals[[2]string{stack, mode}]
			if reason == "" {
				continue
			}
			known = true
			note := fmt.Sprintf("%s %s, %s: %s.", dash, code(stack), words(mode), plain(strings.TrimSuffix(reason, ".")))
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		unknown = unknown || !known
	})
	if unknown {
		notes = append(notes, dash+" otherwise: not called.")
	}
	return notes
}

// each visits the grid row by row, and within a cell mode by mode.
func (m *meeting) each(visit func(server, by result.Case, mode string)) {
	for _, server := range m.servers {
		for _, c := range m.clients {
			for _, one := range interopModes {
				visit(server, c, one.mode)
			}
		}
	}
}

// hasFigures reports whether any case of the report has figures, rather than a place in a
// compatibility grid alone.
func (r Report) hasFigures() bool {
	return slices.ContainsFunc(r.Summaries, func(s result.Summary) bool { return !r.layoutOf(s.Case.Scenario).Compatibility })
}
