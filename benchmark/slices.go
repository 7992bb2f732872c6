package main

import (
	"context"
	"os"

	"example.com/greet/benchmark/internal/run"
)

// slicesCommand measures slices for another version of this program, in its run --against this one.
type slicesCommand struct{}

// Run measures slices as standard input asks for them, until it ends.
func (slicesCommand) Run(ctx context.Context, out output) error {
	return run.AnswerSlices(ctx, os.Stdin, out.data, out.log)
}
