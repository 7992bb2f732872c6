package main

import (
	"fmt"

	"example.com/greet/benchmark/internal/result"
)

type baselineCommand struct {
	Results string `arg:"" name:"RESULTS" help:"Result files, separated by commas, or directories of them."`
}

// maxSpread is how far the rounds of a figure may differ, as a share, for it to enter a baseline:
// half of what a gate should notice.
const maxSpread = 0.01

// Run prints the baseline, and logs which figures varied too much for it.
func (c baselineCommand) Run(out output) error {
	lines, err := readSet(c.Results)
	if err != nil {
		return err
	}
	baseline, err := result.NewBaseline(lines, maxSpread)
	if err != nil {
		return err
	}
	for _, text := range baseline.Loose {
		fmt.Fprintln(out.log, "left out, it does not repeat within 1%:", text)
	}
	fmt.Fprintf(out.log, "%s have figures in the baseline\n", counted(len(baseline.Lines), "case"))
	return baseline.Write(out.data)
}
