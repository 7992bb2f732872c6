package main

import (
	"fmt"
	"io"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// display shows a run in progress.
type display interface {
	run.Progress
	// Expect says what will be measured.
	Expect(cases []result.Case)
	// Log returns the writer for other lines meanwhile.
	Log() io.Writer
	// Close restores the terminal. It must be called before anything else is printed.
	Close()
}

// newDisplay shows the run on w: a table that fills if w is a terminal, else one
// line per round.
func newDisplay(w io.Writer) display {
	if terminal := terminalOf(w); terminal != nil {
		return newLive(terminal, func() (width, height int) { return sizeOf(terminal) })
	}
	return lines{w}
}

// lines shows one line per round.
type lines struct{ w io.Writer }

// Expect implements display.
func (lines) Expect([]result.Case) {}

// Prepare implements run.Progress.
func (lines) Prepare(string) {}

// Begin implements run.Progress.
func (lines) Begin(run.At, result.Case) {}

// Measured implements run.Progress.
func (lines) Measured(result.Line) {}

// End implements run.Progress.
func (p lines) End(at run.At, slices int, took time.Duration) {
	fmt.Fprintln(p.w, roundLine(at, slices, took))
}

// Log implements display.
func (p lines) Log() io.Writer { return p.w }

// Close implements display.
func (lines) Close() {}

// roundLine says that a round has ended, or the rehearsal.
func roundLine(at run.At, slices int, took time.Duration) string {
	head := fmt.Sprintf("round %d of %d", at.Round, at.Rounds)
	if at.Round == 0 {
		head = fmt.Sprintf("rehearsal for %d rounds", at.Rounds)
	}
	text := fmt.Sprintf("%s: %d slices in %s", head, slices, forPeople(took))
	if at.Round < at.Rounds {
		text += fmt.Sprintf("; about %s left", forPeople(at.Left))
	}
	return text
}
