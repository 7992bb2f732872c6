package main

import (
	"fmt"

	"example.com/greet/benchmark/internal/result"
)

type mergeCommand struct {
	Shards []string `arg:"" name:"SHARD" help:"Files that the workers of one run have written, in any order; a file may hold several shards."`
}

// Help is what `benchmark merge --help` says beside the flags.
func (mergeCommand) Help() string {
	return `Prints one result line for each slice: rates add up, histograms are merged, percentiles are never averaged.
A slice whose shards do not make a whole has a verdict in place of its figures.

Exit status: 0 if all results stand, 1 if one does not, 2 for a mistake in the command.`
}

// Run prints the lines of the workers as those of one run. It prints those that do not stand too,
// and then fails.
func (c mergeCommand) Run(out output) error {
	var shards []result.Line
	for _, file := range c.Shards {
		lines, err := result.ReadFile(file)
		if err != nil {
			return err
		}
		shards = append(shards, lines...)
	}
	lines, err := result.Unite(shards)
	if err != nil {
		return err
	}
	wrong := 0
	for _, l := range lines {
		if err := result.WriteLine(out.data, l); err != nil {
			return err
		}
		if result.Disqualified(l.Verdicts) {
			wrong++
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d results do not stand: benchmark report says why", wrong, len(lines))
	}
	return nil
}
