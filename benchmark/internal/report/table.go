package report

import (
	"cmp"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// table is one table with the text around it, without markup.
type table struct {
	Title string
	About string   // what the scenario is, above its first table
	Facts []string // what holds for all of it: constants and rounds
	Once  []string // remarks to read before the table
	Heads []head
	Rows  [][]cell
	Notes []string // what explains single cells

	names int // how many columns name rows; 0 for all before the first figure
}

type head struct {
	Text   string
	Number bool
	Better result.Better // empty if neither is better
}

// cell is a figure, a verdict in its place, or a dash.
type cell struct {
	Text  string
	Code  bool // a name, to be set as code
	Best  bool
	Marks string // one sign for each verdict that leaves the number standing
}

// blank reports whether the cell is empty, without even a dash.
func (c cell) blank() bool { return c.Text == "" }

const dash = "–"

// grid holds the cases of one table by row and column.
type grid struct {
	layout   layout
	cases    []result.Summary
	rowBy    []parameter // the stack and what else tells rows apart
	columnBy []parameter
	rows     []result.Case // an example of each row
	columns  []result.Case
	metrics  []result.MetricSummary // an example of each
	at       map[string]*result.Summary
	verdicts map[result.Verdict]bool // marks that every cell would have, and so none has
	refusals []Refusal               // of this table's mode
}

// tablesOf lays out one scenario, comparison by comparison.
func (r Report) tablesOf(scenario string) []table {
	if r.layoutOf(scenario).Compatibility {
		return r.gridTables(scenario)
	}
	var tables []table
	for _, c := range r.contests(scenario) {
		tables = append(tables, c.tables(r.Refusals)...)
	}
	return tables
}

func (c contest) tables(refusals []Refusal) []table {
	var tables []table
	all := caseList(c.cases)
	for i, cases := range split(c.cases, c.split) {
		g := newGrid(c.layout, cases, all, refusals)
		t := g.table()
		if i == 0 {
			t.About = c.About
		}
		tables = append(append(tables, t), g.percentileTables()...)
	}
	return tables
}

// split groups the cases that have the parameters in common.
func split(cases []result.Summary, by []parameter) [][]result.Summary {
	groups := groupBy(cases, func(c result.Case) string { return key(by, c) })
	slices.SortStableFunc(groups, func(a, b []result.Summary) int { return byMode(a[0].Case, b[0].Case) })
	return groups
}

// byMode orders tables as the modes are taught.
func byMode(a, b result.Case) int {
	modes := []string{"unary", "server_stream", "client_stream", "bidi"}
	return slices.Index(modes, a.Mode) - slices.Index(modes, b.Mode)
}

// newGrid places the cases of one table. The stacks are those of the whole scenario: a stack
// without a figure in this table gets a row of dashes, so that a reader finds it.
func newGrid(l layout, cases []result.Summary, stacks []result.Case, refusals []Refusal) *grid {
	g := &grid{layout: l, cases: cases, at: map[string]*result.Summary{}}
	others := without(slices.Concat(who, l.rows), l.subject)
	g.rowBy = slices.Concat(l.subject[:1], varying(slices.Concat(l.subject[1:], others), cases))
	g.columnBy = g.columnParameters()
	for i := range cases {
		g.at[g.place(cases[i].Case, cases[i].Case)] = &cases[i]
	}
	g.rows = caseList(cases)
	for _, c := range stacks {
		if !slices.ContainsFunc(g.rows, func(row result.Case) bool { return l.subject[0].value(row) == l.subject[0].value(c) }) {
			g.rows = append(g.rows, c)
		}
	}
	g.rows = distinct(g.rows, g.rowBy)
	slices.SortStableFunc(g.rows, func(a, b result.Case) int { return compareBy(g.rowBy, a, b) })
	g.columns = distinct(caseList(cases), g.columnBy)
	slices.SortStableFunc(g.columns, func(a, b result.Case) int { return compareBy(g.columnBy, a, b) })
	g.metrics = shownMetrics(l, cases)
	g.verdicts = g.marksOfAll()
	for _, refusal := range refusals {
		if refusal.Mode == cases[0].Case.Mode {
			g.refusals = append(g.refusals, refusal)
		}
	}
	return g
}

func caseList(summaries []result.Summary) []result.Case {
	cases := make([]result.Case, len(summaries))
	for i, s := range summaries {
		cases[i] = s.Case
	}
	return cases
}

func (g *grid) place(row, column result.Case) string {
	return key(g.rowBy, row) + "\x01" + key(g.columnBy, column)
}

// distinct keeps the first case for each combination of the parameters.
func distinct(cases []result.Case, by []parameter) []result.Case {
	seen := map[string]bool{}
	return slices.DeleteFunc(cases, func(c result.Case) bool {
		k := key(by, c)
		again := seen[k]
		seen[k] = true
		return again
	})
}

// shownMetrics finds the metrics of a table. If nothing succeeded, one metric without a name makes
// a column for the verdicts.
func shownMetrics(l layout, cases []result.Summary) []result.MetricSummary {
	var shown []result.MetricSummary
	for _, s := range cases {
		for _, m := range s.Metrics {
			known := slices.ContainsFunc(shown, func(other result.MetricSummary) bool { return other.Name == m.Name })
			if !known && (len(l.Metrics) == 0 || l.place(m.Name) >= 0) {
				shown = append(shown, m)
			}
		}
	}
	slices.SortFunc(shown, func(a, b result.MetricSummary) int {
		return cmp.Or(l.place(a.Name)-l.place(b.Name), strings.Compare(a.Name, b.Name))
	})
	if len(shown) == 0 {
		shown = append(shown, result.MetricSummary{Unit: "verdict"})
	}
	return shown
}

// table fills in the cells.
func (g *grid) table() table {
	t := table{Title: g.title(), Facts: g.facts(), Once: g.once(), Heads: g.heads(), Notes: g.notes()}
	for _, row := range g.rows {
		var cells []cell
		for _, p := range g.rowBy {
			cells = append(cells, parameterCell(p, row))
		}
		for _, m := range g.metrics {
			for _, column := range g.columns {
				cells = append(cells, g.cell(row, column, m.Name))
			}
		}
		t.Rows = append(t.Rows, append(cells, g.lastCells(row)...))
	}
	return t.withoutEmptyColumns()
}

func (g *grid) heads() []head {
	var heads []head
	for _, p := range g.rowBy {
		heads = append(heads, head{Text: p.name})
	}
	for _, m := range g.metrics {
		for _, column := range g.columns {
			text := unitHead(m)
			if setting := phrases(g.columnBy, column); setting != "" {
				text += ", " + setting
			}
			heads = append(heads, head{oneLine(text), true, m.Better})
		}
	}
	return append(heads, g.lastHeads()...)
}

// unitHead returns the unit, which is enough for a rate; other metrics need their name.
func unitHead(m result.MetricSummary) string {
	if strings.HasSuffix(m.Unit, "/s") || m.Name == "" {
		return m.Unit
	}
	if m.Unit == "1" {
		return words(m.Name)
	}
	return words(m.Name) + ", " + m.Unit
}

// words turns the name of a metric or histogram into plain words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

func parameterCell(p parameter, c result.Case) cell {
	return cell{Text: p.value(c), Code: p.name == stackName.name || p.name == client.name && p.value(c) != ownClient}
}

// withoutEmptyColumns removes columns of figures that have only dashes.
func (t table) withoutEmptyColumns() table {
	kept := table{Title: t.Title, About: t.About, Facts: t.Facts, Once: t.Once, Notes: t.Notes, Rows: make([][]cell, len(t.Rows))}
	for i, h := range t.Heads {
		empty := func(row []cell) bool { return row[i].Text == "" || row[i].Text == dash }
		if h.Number && !slices.ContainsFunc(t.Rows, func(row []cell) bool { return !empty(row) }) {
			continue
		}
		kept.Heads = append(kept.Heads, h)
		for j, row := range t.Rows {
			kept.Rows[j] = append(kept.Rows[j], row[i])
		}
	}
	return kept
}
