package commands_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/greet/test/built"
)

// short is a run of a few slices of a tenth of a second each.
var short = []string{"--stacks", "grpc-go/grpc/h2c", "--scenarios", "channels", "--slice", "100ms"}

// kill sends the signal to the servers of a run.
func kill(t *testing.T, run *exec.Cmd, s syscall.Signal) {
	t.Helper()
	for _, child := range children(t, run.Process.Pid) {
		if err := syscall.Kill(child, s); err != nil {
			t.Error(err)
		}
	}
}

// A run that is killed leaves whole lines and no server behind, and --resume makes
// it whole.
func TestKilledRunIsResumed(t *testing.T) {
	args := append(slices.Clone(short), "--rounds", "3")
	run, _, file := startBenchmark(t, args...)
	awaitResults(t, file, 3)
	servers := children(t, run.Process.Pid)
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	awaitEnd(t, servers)
	broken, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(broken, `{"schema": 1, "ro`) // as a kill within a write leaves it
	broken.Close()

	out, log, status := built.Run(t, "benchmark", append(args, "--out", filepath.Dir(file), "--resume")...)
	if status != 0 || strings.Contains(out, "Partial") || !strings.Contains(log, "slices are there already") {
		t.Errorf("resumed: status %d\n%s\n%s", status, log, out)
	}
	lines := readResults(t, file)
	if len(lines) != 12 {
		t.Errorf("%d results, want 4 in each of 3 rounds", len(lines))
	}
	for _, l := range lines {
		if !bytes.Equal(l.Run, lines[0].Run) || !bytes.Equal(l.Seed, lines[0].Seed) || l.Plan == nil || l.Plan.Lines != 12 {
			t.Errorf("a line of run %s, seed %d, plan %+v", l.Run, l.Seed, l.Plan)
		}
	}
	for flags, says := range map[string]string{
		"":           "whole already",
		"--rounds=4": "plan.rounds",
		"--slice=1s": "plan.slice_ns",
	} {
		_, log, status := built.Run(t, "benchmark", append(slices.Clone(short), strings.Fields("--resume="+file+" "+flags)...)...)
		if status != 1 || !strings.Contains(log, says) {
			t.Errorf("resumed again with %q: status %d and %q, want 1 and %q", flags, status, log, says)
		}
	}
}

// Two runs that wrote to one file would spoil it.
func TestResumeOfARunThatGoesOn(t *testing.T) {
	args := append(slices.Clone(short), "--rounds", "100")
	run, _, file := startBenchmark(t, args...)
	awaitResults(t, file, 1)
	_, log, status := built.Run(t, "benchmark", append(args, "--resume="+file)...)
	if want := "lock " + file + ": another run is writing to it"; status != 1 || !strings.Contains(log, want) {
		t.Errorf("the second run: status %d and %q, want 1 and %q", status, log, want)
	}
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	readResults(t, file)
}

// awaitEnd waits until the processes have ended.
func awaitEnd(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		for deadline := time.Now().Add(10 * time.Second); !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("server %d goes on 10 s after its run has ended", pid)
				break
			}
		}
	}
}

func TestInterruptedRunIsMarkedPartial(t *testing.T) {
	run, out, file := startBenchmark(t, append(slices.Clone(short), "--rounds", "100")...)
	awaitResults(t, file, 3)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Errorf("run ended with %v, want exit status 130", err)
	}
	report := strings.ReplaceAll(out.String(), "\n  ", " ") // each remark on one line
	want := "- " + fmt.Sprintf("Partial: run %s was ended early, with %d of its 400 slices.", strings.TrimSuffix(filepath.Base(file), ".jsonl"), len(readResults(t, file)))
	if !strings.HasPrefix(report, want) {
		t.Errorf("report does not begin with %q:\n%s", want, out)
	}
}

// On a terminal, where both outputs are one, the report ends above the command.
func TestInterruptedRunEndsWithTheCommandThatGoesOn(t *testing.T) {
	dir := t.TempDir()
	run := built.Command(t.Context(), t, "benchmark", append(slices.Clone(short), "--rounds", "100", "--out", dir)...)
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, &out
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	file := awaitFile(t, filepath.Join(dir, "*.jsonl"))
	awaitResults(t, file, 3)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait() // fails, as it should
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, "--rounds 100 --resume="+file) {
		t.Errorf("the last line is %q, want the command that goes on, of:\n%s", last, &out)
	}
}

// awaitFile waits for a file that matches the pattern.
func awaitFile(t *testing.T, pattern string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if files, err := filepath.Glob(pattern); err == nil && len(files) > 0 {
			return files[0]
		}
	}
	t.Fatalf("no %s after a minute", pattern)
	return ""
}

// A server that hangs costs a deadline, then a second for each of its slices.
func TestServerThatHangs(t *testing.T) {
	run, out, file := startBenchmark(t, append(slices.Clone(short), "--rounds", "2", "--deadline", "1s")...)
	awaitResults(t, file, 2)
	kill(t, run, syscall.SIGSTOP)
	stopped := time.Now()
	if err := run.Wait(); run.ProcessState.ExitCode() != 1 {
		t.Errorf("run ended with %v, want exit status 1", err)
	}
	if took := time.Since(stopped); took > 40*time.Second {
		t.Errorf("run went on for %v", took)
	}
	lines := readResults(t, file)
	if len(lines) != 8 {
		t.Fatalf("%d results, want 8", len(lines))
	}
	if last := lines[7]; last.Calls != 0 || len(last.Metrics) != 0 || last.Errors["deadline_exceeded"] == 0 {
		t.Errorf("last result: %d calls, metrics %v, errors %v", last.Calls, last.Metrics, last.Errors)
	}
	if !strings.Contains(out.String(), "errors") {
		t.Errorf("table does not say %q:\n%s", "errors", out)
	}
}

func TestRunWithTooFewFileDescriptors(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not there to set the limit")
	}
	dir := t.TempDir()
	built := built.Command(t.Context(), t, "benchmark", "--stacks", "connect-go/connect/h1", "--scenarios", "family", "--rounds", "1", "--out", dir)
	limited := exec.CommandContext(t.Context(), bash, append([]string{"-c", `ulimit -n 50 && exec "$0" "$@"`}, built.Args...)...)
	var log bytes.Buffer
	limited.Stderr = &log
	_ = limited.Run()
	for _, want := range []string{"warning: this process may have 50 file descriptors open", "out of file descriptors", "ulimit -n 65536"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &log)
		}
	}
	if status := limited.ProcessState.ExitCode(); status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl")) // none if the first slice was one too large
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, l := range readResults(t, file) {
			if len(l.Errors) > 0 {
				t.Errorf("a result blames the server: %v", l.Errors)
			}
		}
	}
}

func TestPinnedAndProfiledRun(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("client and server need a CPU each")
	}
	dir := t.TempDir()
	out, log, status := built.Run(t, "benchmark", append(slices.Clone(short), "--rounds", "1", "--pin", "--profile", "cpu", "--out", dir)...)
	if status != 0 || !strings.Contains(out, "Profiled (cpu)") || !strings.Contains(out, "cores of their own") {
		t.Fatalf("status %d\n%s\n%s", status, log, out)
	}
	for _, l := range readResults(t, awaitFile(t, filepath.Join(dir, "*.jsonl"))) {
		e := l.Environment
		if want := runtime.NumCPU() - runtime.NumCPU()/2; !e.Pinned || e.GoMaxProcs != want || e.Profile != "cpu" {
			t.Errorf("pinned %v, GOMAXPROCS %d, profile %q, want true, %d, cpu", e.Pinned, e.GoMaxProcs, e.Profile, want)
		}
		if len(l.Profiles) != 2 {
			t.Errorf("profiles %v, want of client and server", l.Profiles)
		}
		for _, profile := range l.Profiles {
			if info, err := os.Stat(filepath.Join(dir, profile)); err != nil || info.Size() == 0 {
				t.Errorf("profile %s: %v, error %v", profile, info, err)
			}
		}
	}
}

func TestRunsThatCannotBegin(t *testing.T) {
	notDir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notDir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		flags  string
		status int
		says   string
	}{
		{"--out " + notDir, 1, "not a directory"},
		{"--resume --out " + t.TempDir(), 2, "--resume=FILE"},
		{"--resume=/nonexistent.jsonl", 1, "/nonexistent.jsonl"},
		{"--profile sideways", 2, "cpu"},
		{"--slice 0s", 2, "--slice"},
	} {
		_, log, status := built.Run(t, "benchmark", append(slices.Clone(short), strings.Fields(test.flags)...)...)
		if status != test.status || !strings.Contains(log, test.says) {
			t.Errorf("%s: status %d and %q, want %d and %q", test.flags, status, log, test.status, test.says)
		}
	}
}

func TestPlanOfAPublishedRun(t *testing.T) {
	out, log, status := built.Run(t, "benchmark", "plan", "--publish")
	if status != 0 || !strings.Contains(log, "and a control (") || !strings.Contains(log, "as many rounds as fit into 1h0m, 10 ") {
		t.Errorf("status %d, says %q", status, log)
	}
	for _, want := range []string{"(control)", "codec", "open", "idle", "grpc-go/grpc/h2c+gzip"} {
		if !strings.Contains(out, want) {
			t.Errorf("plan lacks %s", want)
		}
	}
}
