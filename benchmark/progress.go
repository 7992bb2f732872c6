package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"example.com/greet/internal/result"
	"example.com/greet/internal/run"
)

// newProgress shows the run on w: what is measured just now if w is a terminal,
// else one line per round.
func newProgress(w io.Writer, rounds int) run.Progress {
	file, ok := w.(*os.File)
	return &progress{w: w, rounds: rounds, live: ok && term.IsTerminal(int(file.Fd()))}
}

type progress struct {
	w      io.Writer
	rounds int
	live   bool
}

// clearLine takes the cursor to the start of the line and empties it.
const clearLine = "\r\x1b[K"

// Begin implements run.Progress.
func (p *progress) Begin(round, done, total int, c result.Case) {
	if p.live {
		fmt.Fprintf(p.w, clearLine+"round %d of %d, %d of %d: %s", round, p.rounds, done+1, total, describe(c))
	}
}

// End implements run.Progress.
func (p *progress) End(round, total int, took time.Duration) {
	if p.live {
		fmt.Fprint(p.w, clearLine)
	}
	fmt.Fprintf(p.w, "round %d of %d: %d cases in %v\n", round, p.rounds, total, took.Round(100*time.Millisecond))
}
