package main

import (
	"errors"
	"fmt"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

// reading reads result files that belong together. None may repeat a slice, which would count
// twice.
type reading struct {
	lines []result.Line
	seen  map[string]string // the place of each slice, as file:line
}

// readFiles reads all of the files. A broken file is an error, and so is a slice in two files, as
// when a file is given twice.
func readFiles(files ...string) ([]result.Line, error) {
	r := reading{seen: make(map[string]string)}
	for _, file := range files {
		if err := r.add(file); err != nil {
			return nil, err
		}
	}
	return r.lines, nil
}

// add reads one more file. The error names the first repeated slice.
func (r *reading) add(file string) error {
	lines, err := result.ReadFile(file)
	if err != nil {
		return err
	}
	var first string
	again := 0
	for i, l := range lines {
		slice := fmt.Sprintf("%s %d %s", l.Run, l.Round, l.Case.Key())
		place := fmt.Sprintf("%s:%d", file, i+1)
		known, twice := r.seen[slice]
		if !twice {
			r.seen[slice] = place
			continue
		}
		if again++; again == 1 {
			if l.Worker != nil {
				return fmt.Errorf("%s: it holds another worker's part of run %s, as %s does: benchmark merge adds them up first", place, l.Run, known)
			}
			first = fmt.Sprintf("%s: round %d of run %s is in %s already: %s", place, l.Round, l.Run, known, plan.Words(l.Case))
		}
	}
	if again > 1 {
		first += fmt.Sprintf(" (and %s more)", counted(again-1, "line"))
	}
	if again > 0 {
		return errors.New(first)
	}
	r.lines = append(r.lines, lines...)
	return nil
}
