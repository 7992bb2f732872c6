package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

func TestBaseline(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if got := execute(t.Context(), []string{"baseline", writeRun(t, nil, 100, 100, 100)}, &stdout, &stderr); got != exitGood {
		t.Fatalf("status %d: %s", got, stderr.String())
	}
	baseline := filepath.Join(t.TempDir(), "baseline.jsonl")
	if err := os.WriteFile(baseline, stdout.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := func(l *result.Line) { l.Environment.Host = "elsewhere" }
	for allocations, want := range map[float64]int{100: exitGood, 101: exitGood, 103: exitFailed} {
		var log bytes.Buffer
		args := []string{"compare", baseline, writeRun(t, elsewhere, allocations), "--deterministic", "--fail-if", "allocations*>+2%"}
		if got := execute(t.Context(), args, new(bytes.Buffer), &log); got != want {
			t.Errorf("%g allocations: status %d, want %d: %s", allocations, got, want, log.String())
		}
	}
	stdout.Reset()
	stderr.Reset()
	if got := execute(t.Context(), []string{"baseline", writeRun(t, nil, 100, 102)}, &stdout, &stderr); got != exitGood || stdout.Len() > 0 {
		t.Errorf("of what does not repeat: status %d and %s, want nothing", got, stdout.String())
	}
	if !strings.Contains(stderr.String(), "allocations_per_op is 100 to 102") {
		t.Errorf("log does not say what was left out:\n%s", stderr.String())
	}
}
