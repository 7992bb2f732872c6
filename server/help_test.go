package main

import (
	"errors"
	"strings"
	"testing"
)

// full takes nothing, as /dev/full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestHelpThatCannotBePrinted(t *testing.T) {
	var stderr strings.Builder
	status := run(t.Context(), []string{"--help"}, full{}, &stderr)
	if want := "server: print help: no space left on device\n"; status != 1 || stderr.String() != want {
		t.Errorf("exit %d, %q; want 1, %q", status, stderr.String(), want)
	}
}
