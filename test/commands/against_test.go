package commands_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/greet/test/built"
)

// program is the path of a command that is built.
func program(t *testing.T, name string) string { return built.Command(t.Context(), t, name).Path }

// changes reads a comparison in CSV: the claim and the ratio of each metric of all cases.
func changes(t *testing.T, text string) (claims map[string][]string, ratios map[string]float64) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatalf("%v, %d records:\n%s", err, len(records), text)
	}
	at := func(column string) int { return slices.Index(records[0], column) }
	claims, ratios = map[string][]string{}, map[string]float64{}
	for _, r := range records[1:] {
		metric := r[at("metric")]
		claims[metric] = append(claims[metric], r[at("claim")])
		ratios[metric], _ = strconv.ParseFloat(r[at("ratio")], 64)
	}
	return claims, ratios
}

// A version against itself: both sides are measured in the same rounds, and what does not
// depend on time does not differ. The two files are never taken for one.
func TestAgainstItself(t *testing.T) {
	dir := t.TempDir()
	out, log, status := built.Run(t, "benchmark", "--against", program(t, "benchmark"), "--stacks", "grpc-go/grpc/h2c",
		"--scenarios", "channels,cost", "--cases", "channels .* connections 1$|cost .* unary payload 1024 B .* connections 1 calls 1000$", "--slice", "300ms", "--rounds", "6", "--format", "csv", "--out", dir)
	if status != 0 {
		t.Fatalf("status %d: %s\n%s", status, log, out)
	}
	claims, ratios := changes(t, out)
	if len(claims["rate"]) == 0 || slices.Contains(claims["rate"], "none") {
		t.Errorf("rates: %v, want claims from 6 rounds", claims["rate"])
	}
	for _, metric := range []string{"wire_bytes_per_call_sent", "wire_bytes_per_call_received"} {
		// Now and then a frame more or less is sent, which may be called and is next to nothing.
		if ratio, ok := ratios[metric]; !ok || ratio < 0.998 || ratio > 1.002 {
			t.Errorf("%s of a program is %v of its own, %v", metric, ratio, claims[metric])
		}
	}
	this := awaitFile(t, filepath.Join(dir, "*Z-????.jsonl"))
	that := strings.TrimSuffix(this, ".jsonl") + ".against.jsonl"
	if again, log, status := built.Run(t, "benchmark", "compare", that, this, "--format", "csv"); status != 0 || again != out {
		t.Errorf("compared again: status %d: %s\n%s\nwant\n%s", status, log, again, out)
	}
	if _, log, status := built.Run(t, "benchmark", "report", this, that); status != 1 || !strings.Contains(log, "is in "+this) {
		t.Errorf("both in one report: status %d: %s", status, log)
	}
	if _, log, status := built.Run(t, "benchmark", "--resume="+this); status != 1 || !strings.Contains(log, "took turns") {
		t.Errorf("resumed: status %d: %s", status, log)
	}
}

// A commit is built, and what is slower in it is called.
func TestAgainstASlowerCommit(t *testing.T) {
	slow := built.CopyRepository(t)
	file := filepath.Join(slow, "internal", "greet", "modes.go")
	code := strings.Replace(contents(t, file), `"Hello, " + name`, `slowly() + "Hello, " + name`, 1) +
		"\nfunc slowly() string { time.Sleep(time.Millisecond); return \"\" }\n"
	code = strings.Replace(code, `"strconv"`, "\"strconv\"\n\"time\"", 1)
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	git := []string{"-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, append(git, "commit", "-q", "-m", "slow")} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = slow
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %s: %v %s", args, err, out)
		}
	}
	dir := t.TempDir()
	run := built.Command(t.Context(), t, "benchmark", "--against", "HEAD", "--stacks", "grpc-go/grpc/h2c",
		"--scenarios", "unary", "--cases", "payload 16 B concurrency 1 ", "--slice", "100ms", "--rounds", "6", "--format", "csv", "--out", dir)
	var log strings.Builder
	run.Dir, run.Stderr = slow, &log
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &log)
	}
	claims, ratios := changes(t, string(out))
	if !slices.Equal(claims["rate"], []string{"different"}) || ratios["rate"] < 2 {
		t.Errorf("a millisecond less in each call: %v, ratio %v, want far more calls:\n%s", claims["rate"], ratios["rate"], out)
	}
	that := readResults(t, awaitFile(t, filepath.Join(dir, "*.against.jsonl")))
	head := exec.CommandContext(t.Context(), "git", "-C", slow, "rev-parse", "HEAD")
	if commit, err := head.Output(); err != nil || !strings.HasPrefix(string(commit), that[0].Environment.Commit) || that[0].Environment.Commit == "" {
		t.Errorf("%v: the lines are of commit %q, want %s", err, that[0].Environment.Commit, commit)
	}
	if trees, err := exec.CommandContext(t.Context(), "git", "-C", slow, "worktree", "list").Output(); err != nil || strings.Count(string(trees), "\n") != 1 {
		t.Errorf("%v: a tree is left behind: %s", err, trees)
	}
}

func TestAgainstWhatIsNoOtherVersion(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"--against nothing-of-this-name", 2, "neither a program's file nor a commit"},
		{"--against " + program(t, "server"), 1, "must be a version of this program that measures slices by order"},
		{"--against HEAD --resume", 2, "--against and --resume"},
		{"--against HEAD --format html", 2, "want markdown or csv"},
	} {
		_, log, status := built.Run(t, "benchmark", append(strings.Fields(test.args), append(slices.Clone(short), "--out", t.TempDir())...)...)
		if status != test.status || !strings.Contains(log, test.says) {
			t.Errorf("%s: status %d and %q, want %d and %q", test.args, status, log, test.status, test.says)
		}
	}
}

// Ctrl-C ends such a run after its slice, with what there is, and no process is left.
func TestInterruptedTurns(t *testing.T) {
	run, out, file := startBenchmark(t, append(slices.Clone(short), "--rounds", "100", "--against", program(t, "benchmark"))...)
	awaitResults(t, file, 3)
	var all []int
	for _, side := range children(t, run.Process.Pid) {
		all = append(append(all, side), children(t, side)...)
	}
	if len(all) < 2 {
		t.Errorf("processes %v, want two sides", all)
	}
	if err := run.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Errorf("run ended with %v, want exit status 130", err)
	}
	awaitEnd(t, all)
	if want := fmt.Sprintf("Partial: run %s was ended early", strings.TrimSuffix(filepath.Base(file), ".jsonl")); !strings.Contains(out.String(), want) {
		t.Errorf("the comparison lacks %q:\n%s", want, out)
	}
}
