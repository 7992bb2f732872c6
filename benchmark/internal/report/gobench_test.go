package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"example.com/greet/benchmark/internal/result"
)

// The reader of golang.org/x/perf must find each figure of each slice, and nothing
// that it cannot make sense of.
func TestGoBenchIsReadBack(t *testing.T) {
	r := newReport(t, readRun(t, "six-rounds"))
	reader := benchfmt.NewReader(strings.NewReader(written(t, GoBench, r)), "six-rounds")
	var got []float64
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			for _, v := range record.Values {
				if v.Unit == "req/s" {
					got = append(got, v.Value)
				}
			}
			if record.GetConfig("goarch") != "amd64" || record.GetConfig("cpu") == "" {
				t.Errorf("%s: configuration %v", record.Name, record.Config)
			}
		case *benchfmt.SyntaxError:
			t.Error(record)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	var want []float64
	for _, l := range r.Lines {
		for _, m := range l.Metrics {
			if m.Unit == "req/s" && !failing(r, l) {
				want = append(want, m.Value)
			}
		}
	}
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d rates read, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("rate %d is %g, want %g", i, got[i], want[i])
		}
	}
}

func failing(r Report, l result.Line) bool {
	for _, s := range r.Summaries {
		if s.Case.Key() == l.Case.Key() {
			return s.Disqualified()
		}
	}
	return true
}

func TestGoBenchRefusesUnitsThatMeanTwoThings(t *testing.T) {
	lines := readRun(t, "two-rounds")
	for i := range lines {
		if lines[i].Case.Mode == "bidi" {
			lines[i].Metrics[0].Unit, lines[i].Metrics[0].Better = "req/s", result.Lower
		}
	}
	if err := GoBench(new(strings.Builder), newReport(t, lines)); err == nil || !strings.Contains(err.Error(), "req/s") {
		t.Errorf("error %v, want one that names the unit", err)
	}
}

// benchstat itself must read the text as it is.
func TestBenchstatReadsGoBench(t *testing.T) {
	program := buildBenchstat(t)
	file := filepath.Join(t.TempDir(), "six-rounds.txt")
	if err := os.WriteFile(file, []byte(written(t, GoBench, newReport(t, readRun(t, "six-rounds")))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"req/s", "B/s", "msg/s", "latency-p50-sec", "goos: linux", "± "}},
		{ // 6,000 against 5,300 at concurrency 1, which six rounds tell apart
			[]string{"-col", "/stack@(connect-go.connect.h1 grpc-go.grpc.h2c)", "-filter", "/payload:16B /concurrency:1 .unit:req/s"},
			[]string{"connect-go.connect.h1", "grpc-go.grpc.h2c", "vs base", "(p=0."},
		},
	} {
		cmd := exec.CommandContext(t.Context(), program, append(test.args, file)...)
		var complaints strings.Builder
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil || complaints.Len() > 0 {
			t.Fatalf("benchstat %q: %v, said %q", test.args, err, complaints.String())
		}
		for _, want := range test.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("benchstat %q printed no %q:\n%s", test.args, want, out)
			}
		}
	}
}

// buildBenchstat builds the version that tools/benchstat pins. Offline it is in the
// module cache or nowhere.
func buildBenchstat(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "benchstat")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-modfile=tools/benchstat/go.mod", "-o", program, "golang.org/x/perf/cmd/benchstat")
	cmd.Dir = filepath.Join("..", "..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		skip(t, "benchstat cannot be built: %v\n%s", err, out)
	}
	return program
}

// skip ends a test that this machine cannot run, which in CI is a failure.
func skip(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
