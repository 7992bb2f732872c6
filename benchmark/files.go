package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

type reportCommand struct {
	Files  []string `arg:"" name:"FILE" help:"Result files."`
	Format string   `default:"markdown" enum:"${formats},${fileFormats}" help:"Format: ${formats}, or ${fileFormats}: a file for each figure."`
	Out    string   `placeholder:"DIR" help:"Directory for the files of --format ${fileFormats}."`
}

// Run prints the report of all files together. If the format writes files, it prints their names.
func (c reportCommand) Run(out output) error {
	format := report.Find(c.Format)
	if (format.Files != nil) != (c.Out != "") {
		return usageError{fmt.Errorf("--format %s writes files: it needs --out DIR, and other formats take none", fileFormats())}
	}
	lines, err := readFiles(c.Files...)
	if err != nil {
		return err
	}
	if format.Files == nil {
		return writeReport(out.data, format, lines)
	}
	r, err := report.New(lines, scenario.Views())
	if err != nil {
		return err
	}
	paths, err := format.Files(c.Out, r)
	for _, path := range paths {
		fmt.Fprintln(out.data, path)
	}
	return err
}

// textFormats lists the report formats that are one text.
func textFormats() string {
	return report.FormatNames(func(f report.Format) bool { return f.Report != nil })
}

// fileFormats lists the report formats that write files.
func fileFormats() string {
	return report.FormatNames(func(f report.Format) bool { return f.Files != nil })
}

// writeReport writes the report of the lines. It adds what lines do not contain: why a stack has no
// figures in some mode.
func writeReport(w io.Writer, format report.Format, lines []result.Line) error {
	r, err := report.New(lines, scenario.Views())
	if err != nil {
		return err
	}
	for _, s := range knownStacks() {
		for _, mode := range greet.Modes {
			if !s.Carries(mode) {
				r.Refusals = append(r.Refusals, report.Refusal{Stack: s.Name.String(), Mode: string(mode), Reason: s.Refuses[mode]})
			}
		}
	}
	r.Width = widthOf(w)
	return format.Report(w, r)
}

// knownStacks returns the Go stacks, and those of any peers below the working directory.
func knownStacks() []stack.Stack {
	peers, err := plan.FindPeers()
	if err != nil {
		return catalog.Known() // the report then has fewer reasons, and is still right
	}
	return slices.Concat(catalog.Known(), plan.Stacks(peers))
}

type validateCommand struct {
	Files []string `arg:"" name:"FILE" help:"Result files, of this program or of a peer."`
}

// Run checks every file, even after a broken one.
func (c validateCommand) Run(out output) error {
	var broken []error
	for _, file := range c.Files {
		lines, err := readFiles(file)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		fmt.Fprintf(out.data, "%s: %d results, all well-formed\n", file, len(lines))
	}
	return errors.Join(broken...)
}
