package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/greet/benchmark/internal/report/plot"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// bests returns the best of each library, or of each language if there are several.
func (a answer) bests() (by parameter, best []result.Summary) {
	by = parameter{name: "library", value: func(c result.Case) string { return libraryOf(a.subject[0].value(c)) }}
	spoken := language
	if a.subject[0].name == client.name {
		spoken = clientLanguage
	}
	if len(varying([]parameter{spoken}, a.ranked)) > 0 {
		by = spoken
	}
	seen := map[string]bool{}
	for _, s := range a.ranked {
		if name := by.value(s.Case); !seen[name] {
			seen[name], best = true, append(best, s)
		}
	}
	return by, best
}

// table returns a row for each library or language at its best.
func (a answer) table() table {
	by, best := a.bests()
	m := a.metric(best[0])
	t := table{
		Title: "each " + by.name + " at its best",
		Facts: []string{a.setting(), intervalsOf(best)},
		Heads: []head{{Text: by.name}, {Text: a.subject[0].name}, {Text: unitHead(m), Number: true, Better: m.Better}, {Text: "of the first", Number: true}},
	}
	for _, s := range best[:min(len(best), maxSeries)] {
		t.Rows = append(t.Rows, []cell{
			{Text: by.value(s.Case)}, {Text: a.name(s), Code: true},
			{Text: figure(a.metric(s).Estimate)}, {Text: a.ofFirst(s)},
		})
	}
	if n := len(best) - len(t.Rows); n > 0 {
		t.Notes = []string{fmt.Sprintf("%d more are in the tables below.", n)}
	}
	return t
}

// ofFirst returns the ratio to the first of the ranking, paired within rounds.
func (a answer) ofFirst(s result.Summary) string {
	ratio, ok := result.CompareMetrics(a.metric(s), a.metric(a.ranked[0]))
	switch {
	case !ok || s.Case.Key() == a.ranked[0].Case.Key():
		return dash
	case ratio.Claimed && ratio.Tie():
		return tie + " " + times(ratio)
	}
	return times(ratio)
}

// picture draws the ranking: a dot for each, up to maxSeries.
func (a answer) picture() plot.Figure {
	c := chart{Chart: view.Chart{Name: "ranking " + a.distinction(), Title: a.title(), Metric: a.question.Metric, Label: words(a.question.Metric)}, subject: a.subject}
	g := group{chart: c, cases: a.ranked, names: a.names}
	f := plot.Figure{Name: slug(c.Name), Title: c.Title, Y: plot.Axis{Label: g.valueLabel(), Text: g.text}}
	g.dots(&f)
	kept, all := g.keepBest(&f)
	f.About = capital(a.setting()) + " · " + g.rounds()
	if kept < all {
		f.About += fmt.Sprintf(" · the first %d of %d", kept, all)
	}
	return f
}

// mostTitle is how many letters a picture has room for above it.
const mostTitle = 95

// title returns as much of the answer as there is room for.
func (a answer) title() string {
	first, _, _ := strings.Cut(strings.ReplaceAll(a.sentence(), "`", ""), ". ")
	if first = strings.TrimSuffix(first, "."); utf8.RuneCountInString(first) <= mostTitle {
		return first
	}
	things := "stacks"
	switch {
	case a.subject[0].name == client.name:
		things = "clients"
	case a.cases[0].Case.Kind == pairsKind:
		things = "pairs of client and server"
	}
	if tied, _ := a.tied(); len(tied) > 1 {
		return fmt.Sprintf("%d of %d %s tie for the first place", len(tied), len(a.ranked), things)
	}
	return capital(things) + ", the best first"
}
