package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// mostReport is how large a report may be, in bytes: a reader loads all of it.
const mostReport = 400_000

// published are the result files of which there is a report. Those of the load engine
// stand in docs/engine.md, all of them.
func published(t *testing.T) (files []string) {
	t.Helper()
	all, err := filepath.Glob("benchmark/results/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if filepath.Base(file) != "engine.jsonl" {
			files = append(files, file)
		}
	}
	return files
}

// page is where the report of a result file is.
func page(file string) string {
	return filepath.Join("docs", "reports", strings.TrimSuffix(filepath.Base(file), ".jsonl")+".html")
}

// TestReports compares each page in docs/reports with what the benchmark makes of its
// result file.
func TestReports(t *testing.T) {
	pages := map[string]bool{}
	for _, file := range published(t) {
		name := page(file)
		pages[name] = true
		want, log, status := built.Run(t, "benchmark", "report", file, "--format", "html")
		if status != 0 {
			t.Fatalf("report of %s: status %d, %s", file, status, log)
		}
		if len(want) > mostReport {
			t.Errorf("%s has %d bytes, want %d at most", name, len(want), mostReport)
		}
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is not what %s yields (%v); write it with go test -run TestReports ./test/docs -update", name, file, err)
		}
	}
	there, err := filepath.Glob("docs/reports/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range there {
		if !pages[name] {
			t.Errorf("no result file yields %s", name)
		}
	}
}

// TestReportsInChromium opens the pages in a browser; what is checked is in
// tools/playwright/report.mjs.
func TestReportsInChromium(t *testing.T) {
	var pages []string
	for _, file := range published(t) {
		pages = append(pages, page(file))
	}
	built.InChromium(t, "report.mjs", pages...)
}
