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

// Format writes a report. It returns the errors of w and makes none of its own.
type Format func(w io.Writer, r Report) error

// Formats lists the formats in the order in which help texts name them.
var Formats = []struct {
	Name  string
	Write Format
}{
	{"markdown", Markdown},
	{"csv", CSV},
	{"html", HTML},
	{"gobench", GoBench},
}

// FormatNames lists the names that Find knows.
func FormatNames() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Find returns the format of that name. Its error lists those that there are.
func Find(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f.Write, nil
		}
	}
	return nil, fmt.Errorf("find format %q: want one of %s", name, strings.Join(FormatNames(), ", "))
}
