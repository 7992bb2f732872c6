package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// figure is a picture in a page of docs, by its name.
var figure = regexp.MustCompile(`!\[[^\]]*\]\((?:docs/)?figures/([a-z0-9-]+\.svg)\)`)

// figureSources are the pages that show figures, with the result file that these
// are drawn from and what stands before their names.
var figureSources = []struct{ page, file, prefix string }{
	{"docs/results.md", "benchmark/results/go-stacks.jsonl", ""},
	{"docs/languages.md", "benchmark/results/languages.jsonl", "languages-"},
	{"docs/languages-cost.md", "benchmark/results/languages-cost.jsonl", "languages-"},
	{"docs/coordinated-omission.md", "benchmark/results/stall.jsonl", "stall-"},
}

// TestFigures compares each figure in docs with what the benchmark draws of the
// file that it is from.
func TestFigures(t *testing.T) {
	for _, source := range figureSources {
		dir := t.TempDir()
		if _, log, status := built.Run(t, "benchmark", "report", source.file, "--format", "svg", "--out", dir); status != 0 {
			t.Fatalf("draw figures of %s: status %d, %s", source.file, status, log)
		}
		shown := figure.FindAllStringSubmatch(readFile(t, source.page), -1)
		if len(shown) == 0 {
			t.Errorf("%s shows no figure", source.page)
		}
		for _, match := range shown {
			want := readFile(t, filepath.Join(dir, strings.TrimPrefix(match[1], source.prefix)))
			file := filepath.Join("docs", "figures", match[1])
			if *update {
				if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got := readFile(t, file); got != want {
				t.Errorf("%s is not what %s yields; draw it with go test -run TestFigures ./test/docs -update", file, source.file)
			}
		}
	}
}
