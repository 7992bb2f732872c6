package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

type compareCommand struct {
	Old           string `arg:"" name:"OLD" help:"Result files, separated by commas (one within a name as \\,), or directories of them."`
	New           string `arg:"" name:"NEW" help:"The result files to compare with them, in the same form."`
	FailIf        string `placeholder:"EXPR" help:"Fail if a deterministic figure changes by more, such as 'allocations_per_op>+2%,wire_bytes_per_call>+2%'. There are no gates on times and rates."`
	Deterministic bool   `help:"Compare deterministic figures alone, which may come from different machines."`
	Format        string `default:"markdown" enum:"${compareFormats}" help:"Format: ${compareFormats}."`
}

// Run prints the comparison, and fails if a gate does. It reads the gates before the files, because
// a mistake in them is a usage error.
func (c compareCommand) Run(out output) error {
	gates, err := c.gates()
	if err != nil {
		return usageError{err}
	}
	older, err := readSet(c.Old)
	if err != nil {
		return err
	}
	newer, err := readSet(c.New)
	if err != nil {
		return err
	}
	compare := result.CompareAcross
	if c.Deterministic {
		compare = result.CompareDeterministic
	}
	comparison, err := compare(older, newer)
	if err != nil {
		return err
	}
	if len(comparison.Cases) == 0 {
		return usageError{fmt.Errorf("compare: %s and %s have no case in common: old has %s, new has %s",
			c.Old, c.New, kindsOf(comparison.OnlyOld), kindsOf(comparison.OnlyNew))}
	}
	if err := printComparison(out.data, c.Format, comparison); err != nil {
		return err
	}
	return checkGates(gates, comparison)
}

// compareFormats lists the formats for comparisons.
func compareFormats() string {
	return report.FormatNames(func(f report.Format) bool { return f.Comparison != nil })
}

// printComparison prints the comparison in one of the formats for comparisons.
func printComparison(w io.Writer, format string, c result.Comparison) error {
	shown := report.NewComparison(c, scenario.Views())
	shown.Width = widthOf(w)
	if err := report.Find(format).Comparison(w, shown); err != nil {
		return fmt.Errorf("print comparison: %w", err)
	}
	return nil
}

// kindsOf describes the cases: their number, scenarios and stacks.
func kindsOf(cases []result.Case) string {
	var kinds []string
	for _, c := range cases {
		if kind := c.Scenario + " of " + c.Stack; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	text := strings.Join(kinds[:min(len(kinds), 2)], " and ")
	if len(kinds) > 2 {
		text += " and others"
	}
	return fmt.Sprintf("%s (%s)", counted(len(cases), "case"), text)
}

func (c compareCommand) gates() ([]result.Gate, error) {
	if c.FailIf == "" {
		return nil, nil
	}
	return result.ParseGates(c.FailIf)
}

// checkGates joins an error for each figure that a gate does not let pass.
func checkGates(gates []result.Gate, comparison result.Comparison) error {
	var failed []error
	for _, g := range gates {
		failures, err := g.Check(comparison)
		if err != nil {
			return usageError{err}
		}
		for _, f := range failures {
			failed = append(failed, fmt.Errorf("gate %s: %s: %s", f.Gate, plan.Words(f.Case), f.Text))
		}
	}
	return errors.Join(failed...)
}

// readSet reads all result files of a set: names separated by commas, each a file or a directory. A
// comma within a name has a backslash before it, unless the set is a single existing name.
func readSet(set string) ([]result.Line, error) {
	names := kong.SplitEscaped(set, ',')
	if _, err := os.Stat(set); err == nil {
		names = []string{set}
	}
	var all []string
	for _, name := range names {
		files, err := filesOf(name)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return readFiles(all...)
}

// filesOf lists the result files of a directory, or returns the file itself.
func filesOf(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("open results: %w", err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	files, err := resultFiles(name)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("list results in %s: there are no files *.jsonl", name)
	}
	return files, err
}

// resultFiles lists the result files of a directory in the order of their names.
func resultFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list results: %w", err)
	}
	var files []string
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasSuffix(entry.Name(), ".jsonl") {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	return files, nil
}
