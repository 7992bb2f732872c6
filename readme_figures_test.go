package greet_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// figure is a picture in a page, with the result file that it is drawn from.
var figure = regexp.MustCompile(`!\[[^\]]*\]\(figures/([a-z0-9-]+\.svg)\)`)

// TestFigures compares each figure in docs with what the benchmark draws of the
// published run.
func TestFigures(t *testing.T) {
	dir := t.TempDir()
	if _, log, status := runCommand(t, "benchmark", "report", "benchmark/results/go-stacks.jsonl", "--format", "svg", "--out", dir); status != 0 {
		t.Fatalf("draw figures: status %d, %s", status, log)
	}
	shown := figure.FindAllStringSubmatch(readFile(t, "docs/results.md"), -1)
	if len(shown) == 0 {
		t.Fatal("docs/results.md shows no figure")
	}
	for _, match := range shown {
		want := readFile(t, filepath.Join(dir, match[1]))
		file := filepath.Join("docs/figures", match[1])
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got := readFile(t, file); got != want {
			t.Errorf("%s is not what the published run yields; draw it with go test -run TestFigures . -update", file)
		}
	}
}
