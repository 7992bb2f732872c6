package main

import (
	"context"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

type interopCommand struct {
	Stacks []string `default:"*" placeholder:"GLOB" help:"Stacks that take part with both their ends, in the patterns of benchmark run. All of Go and of the peers that are built, in their plain form, unless given."`
	Out    string   `default:"results" placeholder:"DIR" help:"Directory for the file of result lines."`
	Resume resumed  `help:"Go on with an interrupted run, given the same command: with the newest in --out, or with --resume=FILE."`
}

// Help returns the text of `benchmark interop --help` beside the flags.
func (interopCommand) Help() string {
	return `Each client calls each server of its protocol and transport, in every mode that both carry, whatever their languages.

Exit status: 0 if all understand each other, 1 if two do not or the run failed, 2 for a mistake in the command, 130 if interrupted.`
}

// Run makes the calls and prints who understands whom.
func (c interopCommand) Run(ctx context.Context, out output) error {
	return runCommand{Out: c.Out, Resume: c.Resume, Format: "markdown"}.carryOut(ctx, out, c.newRun)
}

// newRun prepares a run of one round. It resumes from the lines, if there are any.
func (c interopCommand) newRun(ctx context.Context, done []result.Line) (run.Run, error) {
	grid, err := plan.Selection{Peers: true, Stacks: c.Stacks}.Grid(ctx)
	if err != nil {
		return run.Run{}, asUsage(err)
	}
	return run.Run{Plan: grid, Rounds: 1}.Resume(done)
}
