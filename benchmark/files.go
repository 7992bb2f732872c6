package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	Format string   `default:"markdown" enum:"${formats},svg" help:"Format: ${formats}, or svg: a file for each figure."`
	Out    string   `placeholder:"DIR" help:"Directory for the files of --format svg."`
}

// Run prints the report of all files together, or draws its figures and prints
// the names of their files.
func (c reportCommand) Run(out output) error {
	if (c.Format == svgFormat) != (c.Out != "") {
		return usageError{errors.New("--format svg writes files: it needs --out DIR, and other formats take none")}
	}
	lines, err := readFiles(c.Files...)
	if err != nil {
		return err
	}
	if c.Format == svgFormat {
		return writeFigures(out.data, c.Out, lines)
	}
	return writeReport(out.data, c.Format, lines)
}

// svgFormat is no report.Format: it is not one text.
const svgFormat = "svg"

// writeFigures writes each figure of the lines to a file of its name in the
// directory, which it makes if need be.
func writeFigures(w io.Writer, dir string, lines []result.Line) error {
	r, err := report.New(lines, scenario.Views())
	if err != nil {
		return err
	}
	if len(r.Figures()) == 0 {
		return errors.New("draw figures: there is nothing to draw in these results: --format markdown shows them")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make directory for figures: %w", err)
	}
	for _, figure := range r.Figures() {
		var text bytes.Buffer
		if err := figure.WriteFile(&text); err != nil {
			return err
		}
		path := filepath.Join(dir, figure.Name+".svg")
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write figure: %w", err)
		}
		fmt.Fprintln(w, path)
	}
	return nil
}

// writeReport writes the report of the lines. It adds what lines do not contain: why a stack has no
// figures in some mode.
func writeReport(w io.Writer, format string, lines []result.Line) error {
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
	write, err := report.Find(format)
	if err != nil {
		return usageError{err}
	}
	return write(w, r)
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
