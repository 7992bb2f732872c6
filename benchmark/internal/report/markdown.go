package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// Markdown writes the report as GitHub-flavoured Markdown that also reads well as plain text. It
// begins with the answer and ends with remarks. Its headings are of the third level, so that it can
// be part of a page. If the report has a Width, its tables fit that.
func Markdown(w io.Writer, r Report) error {
	var b bytes.Buffer
	for _, text := range conditions(r) {
		item(&b, text, r.Width)
	}
	r.writeHeadline(&b)
	for _, scenario := range r.scenarios() {
		r.writeAnswers(&b, scenario)
		for _, t := range r.tablesOf(scenario) {
			writeTable(&b, t, r.Width)
		}
	}
	writeRemarks(&b, r)
	_, err := w.Write(bytes.TrimLeft(b.Bytes(), "\n"))
	return err
}

// writeHeadline writes the answers, and a picture and the best of the first.
func (r Report) writeHeadline(b *bytes.Buffer) {
	if text := r.understood(); text != "" {
		fmt.Fprintf(b, "\n### Answer\n\n")
		paragraph(b, text, r.Width)
		return
	}
	answers := r.headline()
	if len(answers) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### Answer\n\n")
	paragraph(b, answers[0].text(), r.Width)
	fmt.Fprintf(b, "\n```\n%s```\n", answers[0].sketch(r.Width))
	writeTable(b, answers[0].table(), r.Width)
	if len(answers) > 1 {
		writeSentences(b, "Other comparisons", answers[1:], r.Width)
	}
}

// writeAnswers writes those answers of a scenario that are not in the headline.
func (r Report) writeAnswers(b *bytes.Buffer, scenario string) {
	answers := r.answers(scenario)
	if len(answers) == 0 || r.headline()[0].cases[0].Case.Scenario == scenario {
		return
	}
	writeSentences(b, "Answer: "+scenario, answers, r.Width)
}

func writeSentences(b *bytes.Buffer, title string, answers []answer, width int) {
	fmt.Fprintf(b, "\n### %s\n\n", title)
	for _, a := range answers {
		item(b, a.text(), width)
	}
}

// writeRemarks says how to read the report, then where and with what it was measured.
func writeRemarks(b *bytes.Buffer, r Report) {
	e := r.Environment
	fmt.Fprintf(b, "\n### Remarks\n\n")
	for _, text := range remarksOn(r) {
		item(b, text, r.Width)
	}
	for _, text := range libraries(r.Summaries) {
		item(b, plain(text), r.Width)
	}
	b.WriteByte('\n')
	paragraph(b, fmt.Sprintf("Measured on %s on %s, %s, commit %s, by %s (run %s).",
		r.Started.Format("2006-01-02"), machine(e), goVersion(e), code(e.Commit), commandCode(e.Command), plain(strings.Join(r.Runs, ", "))), r.Width)
}

// remarksOn returns what a reader must know about all figures.
func remarksOn(r Report) []string {
	if !r.hasFigures() {
		return nil // there is no figure
	}
	e := r.Environment
	var texts []string
	if slices.ContainsFunc(r.Summaries, func(s result.Summary) bool { return s.Case.Mode != "" }) {
		if together := r.workerNote(); together != "" {
			texts = append(texts, together)
		} else if e.Pinned {
			texts = append(texts, "Client and server have cores of their own, on one machine, over its loopback interface.")
		} else {
			texts = append(texts, fmt.Sprintf("Client and server share the machine's %d CPUs: a figure is what both achieve together over\n"+
				"loopback, not what the server would do with a machine to itself.", e.CPUs))
		}
	}
	if e.Virtual {
		texts = append(texts, "The machine is virtual: neighbours can slow it down at any time.")
	}
	texts = append(texts, controls(r)...)
	texts = append(texts, "Each reply is checked. A case with a failed call or a wrong reply has a verdict in place of a figure.")
	if hasComparisons(r) {
		texts = append(texts, "Bold is better than each other row of its column that has a figure, the yardsticks among them: paired round by round, at 95%,\n"+
			"with Holm's correction for their number. Left out is a stack's own control. Where nothing is bold, no one row can be called the best.")
	}
	if r.Width > 0 {
		texts = append(texts, "Where a table is too wide for this screen, its intervals are left out: they are in a pipe or a file.")
	}
	if hasUnit(r, "MB/s") {
		texts = append(texts, "MB/s is 10⁶ bytes a second, in one direction.")
	}
	return texts
}

// hasComparisons reports whether there are rounds enough to compare anything.
func hasComparisons(r Report) bool {
	return slices.ContainsFunc(r.Summaries, func(s result.Summary) bool { return s.Rounds >= result.MinRounds })
}

func hasUnit(r Report, unit string) bool {
	return slices.ContainsFunc(r.Summaries, func(s result.Summary) bool {
		return slices.ContainsFunc(s.Metrics, func(m result.MetricSummary) bool { return m.Unit == unit })
	})
}

// libraries lists the modules behind the first part of the stacks' names.
func libraries(summaries []result.Summary) []string {
	var names []string
	modules := map[string][]string{}
	for _, s := range summaries {
		name, _, _ := strings.Cut(s.Case.Stack, "/")
		name, _, _ = strings.Cut(name, "+")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		for _, module := range s.Case.Libraries {
			if !slices.Contains(modules[name], module) {
				modules[name] = append(modules[name], module)
			}
		}
	}
	slices.Sort(names)
	var texts []string
	for _, name := range names {
		if len(modules[name]) > 0 {
			slices.Sort(modules[name])
			texts = append(texts, name+": "+strings.Join(modules[name], ", "))
		}
	}
	return texts
}
