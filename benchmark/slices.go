package main

import (
	"context"
	"os"

	"example.com/greet/benchmark/internal/run"
)

// slicesCommand is one of the two versions of this program in a run --against the other.
type slicesCommand struct{}

// Run measures slices as standard input asks for them, until it ends.
func (slicesCommand) Run(ctx context.Context, out output) error {
	return run.AnswerSlices(ctx, os.Stdin, out.data, out.log)
}
