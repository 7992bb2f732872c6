package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

// writeRun writes a result file into a directory of its own: one case with the
// allocations given, a round each.
func writeRun(t *testing.T, change func(*result.Line), allocations ...float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	w, err := result.NewWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i, count := range allocations {
		l := result.Line{
			Schema: result.SchemaVersion, Run: filepath.Base(t.TempDir()), Round: i + 1, Order: 1, WindowNS: 2e9, Calls: 100,
			Case: result.Case{
				Stack: "protobuf-go", Language: "go", Client: "own", Scenario: "codec", Direction: "marshal", Concurrency: 1,
			},
			Metrics: []result.Metric{
				{Name: "time_per_op", Unit: "ns", Better: result.Lower, Value: 1000},
				{Name: "allocations_per_op", Unit: "1", Better: result.Lower, Value: count},
			},
			Environment: result.Environment{
				Host: "abc", CPU: "Some CPU", CPUs: 2, Memory: 8 << 30, GoMaxProcs: 2, Kernel: "6.1", OS: "linux", Arch: "amd64",
				Go: "go1.26", Commit: "unknown", Governor: "unknown", Command: "go run ./benchmark",
			},
		}
		if change != nil {
			change(&l)
		}
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// What means something to a shell or to this program may also be part of a name.
func TestNamesOfResultsAreNoPatterns(t *testing.T) {
	root := t.TempDir()
	one, other := writeRun(t, nil, 100), writeRun(t, nil, 200, 200)
	for name, file := range map[string]string{
		"m*": one, "mm": other, "a[b]": one, "who?": one, "x,y": one, `back\slash`: one,
	} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Skip(err) // this system forbids such names
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name, "run.jsonl"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{
		"m*": 1, "mm": 2, "a[b]": 1, "who?": 1, "x,y": 1, `back\slash`: 1,
		"mm," + root + `/x\,y`: 3, `x\,y,` + root + "/mm": 3,
	} {
		lines, err := readSet(filepath.Join(root, name))
		if err != nil || len(lines) != want {
			t.Errorf("%s holds %d results, error %v, want %d", name, len(lines), err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	older, newer := writeRun(t, nil, 100, 100), writeRun(t, nil, 103, 103)
	other := writeRun(t, func(l *result.Line) { l.Case.Stack = "other-go" }, 100)
	elsewhere := writeRun(t, func(l *result.Line) { l.Environment.CPU = "Other CPU" }, 100)
	for _, test := range []struct {
		name   string
		args   []string
		status int
		stdout string // a part of it
		stderr string
	}{
		{"no gate", []string{older, newer}, exitGood, "allocations per op", ""},
		{"a directory and a list", []string{filepath.Dir(older), newer + "," + writeRun(t, nil, 103)}, exitGood, "allocations per op", ""},
		{"as CSV", []string{older, newer, "--format", "csv"}, exitGood, "old_median", ""},
		{"a gate that passes", []string{older, newer, "--fail-if", "allocations_per_op>+3%"}, exitGood, "allocations per op", ""},
		{"a gate that fails", []string{older, newer, "--fail-if", "allocations_per_op>+2%"}, exitFailed, "allocations per op",
			"gate allocations_per_op>+2%: codec protobuf-go"},
		{"by how much", []string{older, newer, "--fail-if", "allocations_per_op>+2%"}, exitFailed, "", "+3%, from 100 to 103"},
		{"a bad expression", []string{older, newer, "--fail-if", "allocations_per_op"}, exitUsage, "", "want METRIC>+PERCENT%"},
		{"a gate on time", []string{older, newer, "--fail-if", "time_per_op>+2%"}, exitUsage, "", "not deterministic"},
		{"a gate on nothing", []string{older, newer, "--fail-if", "wire_bytes_per_call>+2%"}, exitUsage, "", "gates are possible on: allocations_per_op"},
		{"another machine", []string{older, elsewhere}, exitFailed, "", `environment.cpu is "Some CPU" in the old ones and "Other CPU" in the new ones`},
		{"another machine, deterministic figures", []string{older, elsewhere, "--deterministic"}, exitGood, "allocations per op", ""},
		{"nothing in common", []string{older, other}, exitUsage, "", "have no case in common: old has 1 case (codec of protobuf-go), new has 1 case (codec of other-go)"},
		{"no such file", []string{older, "none.jsonl"}, exitFailed, "", "open results"},
		{"a directory without results", []string{older, t.TempDir()}, exitFailed, "", "there are no files *.jsonl"},
		{"one side only", []string{older}, exitUsage, "", "NEW"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if got := execute(t.Context(), append([]string{"compare"}, test.args...), &stdout, &stderr); got != test.status {
				t.Errorf("status %d, want %d", got, test.status)
			}
			if !strings.Contains(stdout.String(), test.stdout) {
				t.Errorf("stdout, want %q in it:\n%s", test.stdout, stdout.String())
			}
			if !strings.Contains(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 {
				t.Errorf("stderr, want %q in it:\n%s", test.stderr, stderr.String())
			}
		})
	}
}
