package main

import (
	"errors"
	"strings"
	"testing"
)

// full is a disk without room for a byte.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestLostOutput wants it known when what was to be printed has not been.
func TestLostOutput(t *testing.T) {
	s := startServer(t)
	tests := [][]string{
		{"--help"},
		{"--addr", s.connect},
		{"--mode", "unary", "--addr", s.connect},
		{"--demo", "errors", "--addr", s.connect},
		{"--demo", "metadata", "--addr", s.connect},
		{"--matrix", "--connect", s.connect, "--tls", "off", "--grpc", "off"},
	}
	for _, args := range tests {
		var errs strings.Builder
		code := run(t.Context(), args, full{}, &errs)
		if got := errs.String(); code != exitFailed || strings.Count(got, "\n") != 1 || !strings.Contains(got, errFull.Error()) {
			t.Errorf("%v: got %d, %q; want 1 and one line with %q", args, code, got, errFull)
		}
	}
}
