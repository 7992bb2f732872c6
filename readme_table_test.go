package greet_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the README's tables anew from their files")

// table is a part of the README that a result file yields.
var table = regexp.MustCompile(`(?s)<!-- table: (\S+) -->\n(.*?)<!-- end of table -->`)

// TestReadmeTables compares each table in the README with what the benchmark
// reports of the file that it names.
func TestReadmeTables(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	tables := table.FindAllStringSubmatch(readme, -1)
	if len(tables) == 0 || len(tables) != strings.Count(readme, "<!-- table:") {
		t.Fatalf("README.md has %d whole tables and %d beginnings of one", len(tables), strings.Count(readme, "<!-- table:"))
	}
	for _, match := range tables {
		whole, file, got := match[0], match[1], match[2]
		want, log, status := runCommand(t, "benchmark", "report", file)
		if status != 0 {
			t.Fatalf("report of %s: status %d, %s", file, status, log)
		}
		want = "\n" + want + "\n"
		if *update {
			readme = strings.Replace(readme, whole, strings.Replace(whole, got, want, 1), 1)
		} else if got != want {
			t.Errorf("README.md is not what %s yields; write it with go test -run TestReadmeTables . -update\n%s", file, cmp.Diff(want, got))
		}
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
