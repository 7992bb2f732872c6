package commands_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// quick is a run of eight slices, with a seed that could be taken for none.
func quick(t *testing.T, dir string, environment ...string) (file, log string) {
	t.Helper()
	run := built.Command(t.Context(), t, "benchmark", "--stacks", "floor/grpc/h2c", "--scenarios", "unary",
		"--cases", "payload 16 B ", "--rounds", "2", "--slice", "100ms", "--seed", "0", "--out", dir)
	run.Env = append(os.Environ(), environment...)
	said, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v in %s, error %v, want one file", files, dir, err)
	}
	return filepath.Join(dir, files[0].Name()), string(said)
}

// TestVariablesThatChangeSpeedAreRecorded has two runs of which one had half the heap.
// Neither a comparison nor a report takes the difference for one of speed.
func TestVariablesThatChangeSpeedAreRecorded(t *testing.T) {
	plainDir, tunedDir := filepath.Join(t.TempDir(), "m*"), filepath.Join(t.TempDir(), "tuned,[b]?")
	plain, _ := quick(t, plainDir)
	tuned, log := quick(t, tunedDir, "GOGC=50")
	if !strings.Contains(log, "`GOGC=50 go run ./benchmark") {
		t.Errorf("the command that repeats the run lacks GOGC=50:\n%s", log)
	}
	for _, args := range [][]string{{"compare", plainDir, tunedDir}, {"report", plain, tuned}} {
		if _, log, status := built.Run(t, "benchmark", args...); status == 0 || !strings.Contains(log, `"GOGC=50"`) {
			t.Errorf("%s: status %d, says %s", args[0], status, log)
		}
	}
	var order [2][]int
	for i, file := range []string{plain, tuned} {
		for _, l := range readResults(t, file) {
			order[i] = append(order[i], l.Case.Concurrency)
			if string(l.Seed) != "0" {
				t.Errorf("seed %s, want 0", l.Seed)
			}
		}
	}
	if len(order[0]) != 8 || !slices.Equal(order[0], order[1]) {
		t.Errorf("with seed 0 the order was once %v, and once %v", order[0], order[1])
	}
}
