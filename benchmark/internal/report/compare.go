package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// Comparison is a comparison of two sets of results, ready to be written.
type Comparison struct {
	result.Comparison
	// Width is that of the screen on which tables are to fit; 0 for none.
	Width int

	views []view.View
}

// NewComparison returns a comparison that shows each scenario as its view says.
func NewComparison(c result.Comparison, views []view.View) Comparison {
	return Comparison{Comparison: c, views: views}
}

// ComparisonMarkdown writes tables like those of a report, with a row for each
// metric of each case.
func ComparisonMarkdown(w io.Writer, c Comparison) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Old: %s.\nNew: %s.\n\n", c.sideText(c.Old), c.sideText(c.New))
	for _, text := range comparisonRemarks(c) {
		item(&b, text, c.Width)
	}
	for _, cases := range comparisonGroups(c) {
		writeTable(&b, c.table(cases), c.Width)
	}
	writeOneSided(&b, "old", c.OnlyOld)
	writeOneSided(&b, "new", c.OnlyNew)
	_, err := w.Write(b.Bytes())
	return err
}

// sideText describes one side. If the two took turns, they may have the same commit, so it also
// says which build.
func (c Comparison) sideText(lines []result.Line) string {
	var runs []string
	for _, l := range lines {
		if !slices.Contains(runs, l.Run) {
			runs = append(runs, l.Run)
		}
	}
	slices.Sort(runs)
	first := slices.MinFunc(lines, func(a, b result.Line) int { return a.Started.Compare(b.Started) })
	version := "commit " + code(first.Environment.Commit)
	if c.Paired {
		version += ", program " + code(first.Environment.Program)
	}
	return fmt.Sprintf("%s, %s (run %s)", version,
		first.Started.UTC().Format("2006-01-02 15:04 MST"), plain(strings.Join(runs, ", ")))
}

// comparisonRemarks says how to read the tables, and what else changed.
func comparisonRemarks(c Comparison) []string {
	var texts []string
	for _, side := range []struct {
		name  string
		lines []result.Line
	}{{"old", c.Old}, {"new", c.New}} {
		for _, part := range unfinished(side.lines) {
			texts = append(texts, fmt.Sprintf("Partial: %s, among the %s results.", plain(part), side.name))
		}
	}
	texts = append(texts, howCompared(c.Paired)...)
	if n := c.Figures(); n >= 20 {
		texts = append(texts, fmt.Sprintf("Of %d figures compared, about %d would come out different by chance alone.", n, n/20))
	}
	var libraries []string
	for _, one := range c.Cases {
		for _, text := range one.ChangedLibraries() {
			if !slices.Contains(libraries, text) {
				libraries = append(libraries, text)
			}
		}
	}
	slices.Sort(libraries)
	for _, text := range libraries {
		texts = append(texts, plain(text))
	}
	return texts
}

// howCompared explains how changes are computed.
func howCompared(paired bool) []string {
	const percentiles = "Percentiles are those of single rounds, of which a median stands here: a percentile of all rounds together, as reports have it, is one value and has no interval."
	if paired {
		return []string{
			"The two took turns: each round measured a slice of every case with both, one right after the other. " +
				"The change is the geometric mean of the rounds' ratios of new to old, with the 95% interval of the paired t-test; " +
				code(tie) + " where it holds no change.",
			percentiles,
		}
	}
	return []string{
		"The change is the median of the ratios of each new value to each old one, with the 95% interval of the Mann–Whitney test; " +
			code(tie) + " where it holds no change. A value is the median of a run. Of figures that do not depend on time, such as allocations, it is that of a round.",
		percentiles,
		"The two sides were not measured round by round together. The rounds of one run have in common what that run had on the machine, " +
			"so that one run on each side tells no difference in time: four or more on each side do, or " + code("benchmark run --against") + ".",
	}
}

// comparisonGroups splits the cases as reports of them do.
func comparisonGroups(c Comparison) [][]result.CaseChange {
	changes := map[string]result.CaseChange{}
	var news []result.Summary
	var names []string
	for _, one := range c.Cases {
		changes[one.New.Case.Key()] = one
		news = append(news, one.New)
		names = append(names, one.New.Case.Scenario)
	}
	var groups [][]result.CaseChange
	for _, scenario := range view.Order(c.views, names) {
		ofScenario := slices.DeleteFunc(slices.Clone(news), func(s result.Summary) bool { return s.Case.Scenario != scenario })
		for _, summaries := range split(ofScenario, newLayout(view.Of(c.views, scenario)).split) {
			group := make([]result.CaseChange, len(summaries))
			for i, s := range summaries {
				group[i] = changes[s.Case.Key()]
			}
			groups = append(groups, group)
		}
	}
	return groups
}

// comparisonTable has a row for each metric of each case.
func (c Comparison) table(cases []result.CaseChange) table {
	news := make([]result.Summary, len(cases))
	for i, one := range cases {
		news[i] = one.New
	}
	titled := newLayout(view.Of(c.views, news[0].Case.Scenario)).split
	by := slices.Concat([]parameter{stackName}, without(varying(slices.Concat(who, settings), news), []parameter{rate}))
	t := table{Title: news[0].Case.Scenario, Facts: comparisonFacts(news[0].Case, by, titled)}
	if setting := phrases(titled, news[0].Case); setting != "" {
		t.Title += ": " + setting
	}
	for _, p := range by {
		t.Heads = append(t.Heads, head{Text: p.name})
	}
	for _, text := range []string{"old", "new", "change", "95% interval"} {
		t.Heads = append(t.Heads, head{Text: text, Number: true})
	}
	t.Heads = slices.Insert(t.Heads, len(by), head{Text: "metric"})
	used, inputs := map[result.Verdict]bool{}, view.Of(c.views, news[0].Case.Scenario).Inputs
	for _, one := range cases {
		var setting []cell
		for _, p := range by {
			setting = append(setting, parameterCell(p, one.New.Case))
		}
		for _, figures := range comparisonCells(one, inputs, used) {
			t.Rows = append(t.Rows, slices.Concat(setting, figures))
		}
	}
	t.Notes = comparisonNotes(cases, used)
	return t
}

// comparisonFacts returns the settings that neither a column nor the title shows.
func comparisonFacts(c result.Case, by, titled []parameter) []string {
	var facts []string
	for _, p := range without(settings, by, titled, []parameter{rate}) {
		if text := p.phrase(c); text != "" {
			facts = append(facts, text)
		}
	}
	return append(facts, "medians (95% interval, or lowest–highest of fewer than 6 values)")
}

func comparisonNotes(cases []result.CaseChange, used map[result.Verdict]bool) []string {
	var notes []string
	for _, few := range []struct {
		byRun bool
		text  string
	}{
		{true, "too few runs for this figure: nothing is claimed of the machine's time before there are 4 on each side"},
		{false, fmt.Sprintf("fewer than %d rounds on one side: nothing is claimed", result.MinRounds)},
	} {
		is := func(m result.MetricChange) bool { return !m.Claimed && m.Ratio != 1 && m.ByRun == few.byRun }
		if slices.ContainsFunc(cases, func(one result.CaseChange) bool { return slices.ContainsFunc(one.Metrics, is) }) {
			notes = append(notes, unclaimed+" "+few.text+".")
		}
	}
	for _, v := range result.Verdicts {
		if used[v] {
			notes = append(notes, noteOn(v))
		}
	}
	return notes
}

// writeOneSided lists the cases that only one side has.
func writeOneSided(b *bytes.Buffer, side string, cases []result.Case) {
	if len(cases) == 0 {
		return
	}
	fmt.Fprintf(b, "\nOnly in the %s results:\n\n", side)
	for _, c := range cases {
		fmt.Fprintf(b, "- %s\n", describe(c))
	}
}
