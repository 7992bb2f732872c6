package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/test/built"
)

var update = flag.Bool("update", false, "write the tables in the README and in docs anew from their files")

// table is a part of a page that a result file yields: the section with the title that
// follows the file's name, and of its table the rows and columns that are named below.
var table = regexp.MustCompile(`(?s)<!-- table: (\S+) ([^\n]+?)((?:\n(?:rows|columns): [^\n]+)*)\s*-->\n(.*?)<!-- end of table -->`)

// TestTables compares each table in the README and in docs with what the benchmark
// reports of the file that it names.
func TestTables(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		t.Run(page, func(t *testing.T) {
			text := readFile(t, page)
			tables := table.FindAllStringSubmatch(text, -1)
			if n := strings.Count(text, "<!-- table:"); len(tables) != n || n == 0 && page == "README.md" {
				t.Fatalf("%s has %d whole tables and %d beginnings of one", page, len(tables), n)
			}
			for _, match := range tables {
				whole, file, title, lines, got := match[0], match[1], strings.TrimSpace(match[2]), match[3], match[4]
				chosen, err := parseChoice(lines).of(section(t, reportOf(t, file), title))
				if err != nil {
					t.Fatalf("table of %s, %s: %v", file, title, err)
				}
				want := "\n" + strings.TrimSpace(chosen) + "\n\n"
				if *update {
					text = strings.Replace(text, whole, strings.TrimSuffix(whole, got+"<!-- end of table -->")+want+"<!-- end of table -->", 1)
				} else if got != want {
					t.Errorf("%s is not what %s yields; write it with go test -run TestTables ./test/docs -update\n%s", page, file, cmp.Diff(want, got))
				}
			}
			if *update {
				if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// reports are those that were made already.
var reports = map[string]string{}

func reportOf(t *testing.T, file string) string {
	t.Helper()
	if text, ok := reports[file]; ok {
		return text
	}
	command := "benchmark"
	if strings.HasPrefix(filepath.Base(file), "engine") {
		command = "engine" // whose scenarios the benchmark does not know
	}
	out, log, status := built.Run(t, command, "report", file)
	if status != 0 {
		t.Fatalf("report of %s: status %d, %s", file, status, log)
	}
	reports[file] = out
	return out
}

// section is the part of a report below the title, without what is drawn with letters.
func section(t *testing.T, report, title string) string {
	t.Helper()
	_, rest, found := strings.Cut("\n"+report, "\n### "+title+"\n\n")
	if !found {
		t.Fatalf("the report has no section %q", title)
	}
	if next := strings.Index(rest, "\n### "); next >= 0 {
		rest = rest[:next]
	}
	text, _, _ := strings.Cut(rest, "\n```\n")
	return text
}
