package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// copied writes the lines to a file in the directory, as if their run had begun then.
func copied(t *testing.T, dir, name, lines, started string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	lines = regexp.MustCompile(`"started":"[^"]*"`).ReplaceAllString(lines, `"started":"`+started+`"`)
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// --resume goes on with the run that began last, of those with the plan that is asked
// for. It leaves every other file as it is, whatever they are called.
func TestResumeFindsItsRun(t *testing.T) {
	scratch, dir := t.TempDir(), filepath.Join(t.TempDir(), "a [b]*?,")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	args := append(slices.Clone(short), "--rounds", "2")
	if _, log, status := built.Run(t, "benchmark", append(args, "--out", scratch)...); status != 0 {
		t.Fatalf("status %d: %s", status, log)
	}
	lines := strings.SplitAfter(contents(t, awaitFile(t, filepath.Join(scratch, "*.jsonl"))), "\n")
	part := strings.Join(lines[:3], "")

	wanted := copied(t, dir, "newest.jsonl", part, "2026-11-02T00:00:00Z")
	others := []string{
		copied(t, dir, "zz-older.jsonl", part+lines[3][:40], "2026-11-01T00:00:00Z"),
		copied(t, dir, "zz-another-plan.jsonl", regexp.MustCompile(`"cases":"[^"]*"`).ReplaceAllString(part, `"cases":"abc"`), "2026-11-03T00:00:00Z"),
		copied(t, dir, "zz-foreign.jsonl", "{}\n", ""),
	}
	var before []string
	for _, other := range others {
		before = append(before, contents(t, other))
	}
	_, log, status := built.Run(t, "benchmark", append(args, "--out", dir, "--resume")...)
	if whole := readResults(t, wanted); status != 0 || len(whole) != 8 {
		t.Errorf("status %d, %d results in the newest, want 0 and 8: %s", status, len(whole), log)
	}
	for i, other := range others {
		if contents(t, other) != before[i] {
			t.Errorf("%s was written to", other)
		}
	}
	_, log, status = built.Run(t, "benchmark", append(args, "--slice", "70ms", "--out", dir, "--resume")...)
	if status != 1 || !strings.Contains(log, "has this plan") || !strings.Contains(log, "plan.slice_ns") {
		t.Errorf("with another plan: status %d and %q", status, log)
	}
}

func TestResumeLeavesPublishedFilesAlone(t *testing.T) {
	dir := t.TempDir()
	if err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).Run(); err != nil {
		t.Skip(err)
	}
	args := append(slices.Clone(short), "--rounds", "2")
	if _, log, status := built.Run(t, "benchmark", append(args, "--out", dir)...); status != 0 {
		t.Fatalf("status %d: %s", status, log)
	}
	path := awaitFile(t, filepath.Join(dir, "*.jsonl"))
	part := strings.Join(strings.SplitAfter(contents(t, path), "\n")[:3], "") + "{"
	if err := os.WriteFile(path, []byte(part), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "add", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, resume := range []string{"--resume", "--resume=" + path} {
		_, log, status := built.Run(t, "benchmark", append(slices.Clone(args), "--out", dir, resume)...)
		if status == 0 || contents(t, path) != part {
			t.Errorf("%s: status %d, and the file was changed: %t; %s", resume, status, contents(t, path) != part, log)
		}
	}
}
