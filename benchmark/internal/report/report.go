package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
)

// Report is one run, or several that may be shown together, ready to be written.
type Report struct {
	Environment result.Environment
	Started     time.Time // of the first slice, UTC
	Runs        []string
	Summaries   []result.Summary // in a fixed order, whatever that of the lines
	Lines       []result.Line    // in the order of time
	// Refusals say why stacks have no figures in some modes. Result lines do not say so; the
	// caller fills them in if it knows.
	Refusals []Refusal

	// Width is that of the screen on which tables are to fit; 0 for none.
	Width int

	views []view.View
}

// Refusal says why a stack does not carry a mode.
type Refusal struct {
	Stack  string
	Mode   string
	Reason string
}

// New makes a report of the lines. It shows each scenario as its view says, in the order of the
// views. No lines, and lines that cannot stand in one table, are an error.
func New(lines []result.Line, views []view.View) (Report, error) {
	summaries, err := result.Summarize(lines)
	if err != nil {
		return Report{}, fmt.Errorf("make report: %w", err)
	}
	lines = inOrderOfTime(lines)
	first := lines[0]
	runs := make([]string, len(lines))
	for i, l := range lines {
		runs[i] = l.Run
	}
	slices.Sort(runs)
	return Report{
		Environment: first.Environment,
		Started:     first.Started.UTC(),
		Runs:        slices.Compact(runs),
		Summaries:   summaries,
		Lines:       lines,
		views:       views,
	}, nil
}

// Disqualified reports whether a case of the report is disqualified, in which case the run has
// failed.
func (r Report) Disqualified() bool {
	return slices.ContainsFunc(r.Summaries, result.Summary.Disqualified)
}

// Format is one way to write what was measured. A nil function says that the format has no such form.
// The functions return the errors of their writer or file system and make none of their own.
type Format struct {
	Name       string
	Report     func(w io.Writer, r Report) error
	Comparison func(w io.Writer, c Comparison) error
	// Files writes the parts of a report to files in the directory, and returns their paths.
	Files func(dir string, r Report) (paths []string, err error)
}

// Formats lists the formats in the order in which help texts name them.
var Formats = []Format{
	{Name: "markdown", Report: Markdown, Comparison: ComparisonMarkdown},
	{Name: "csv", Report: CSV, Comparison: ComparisonCSV},
	{Name: "html", Report: HTML},
	{Name: "gobench", Report: GoBench},
	{Name: "svg", Files: SVG},
}

// FormatNames lists the names of the formats that have the wanted form, separated by commas.
func FormatNames(wanted func(Format) bool) string {
	var names []string
	for _, f := range Formats {
		if wanted(f) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ",")
}

// Find returns the format of that name, which must be one of Formats.
func Find(name string) Format {
	return Formats[slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })]
}
