package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// fullDisk takes so many bytes.
type fullDisk struct{ left int }

func (d *fullDisk) Write(text []byte) (int, error) {
	n := min(len(text), d.left)
	d.left -= n
	if n < len(text) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

func TestOutputThatCannotBeWrittenFailsTheCommand(t *testing.T) {
	file := writeRun(t, nil, 100)
	for _, args := range [][]string{
		{"plan", "--scenarios", "codec"},
		{"validate", file},
		{"report", file},
		{"compare", file, file},
		{"baseline", file},
		{"--help"},
		{"run", "--help"},
	} {
		for _, room := range []int{0, 10} {
			var stderr bytes.Buffer
			got := execute(t.Context(), args, &fullDisk{room}, &stderr)
			if want := "write to standard output: no space left on device"; got != exitFailed || strings.Count(stderr.String(), want) != 1 {
				t.Errorf("%q with room for %d bytes: status %d, said %q, want 1 and once %q", args, room, got, stderr.String(), want)
			}
		}
	}
}
