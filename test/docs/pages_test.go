package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostLine   = 160 // letters that a line of a page has at most
	mostREADME = 200 // lines
	mostBytes  = 9 << 10
)

// TestPagesAreNarrow wants lines that a reader of the source sees whole.
func TestPagesAreNarrow(t *testing.T) {
	for _, name := range pages(t) {
		for i, line := range strings.Split(readFile(t, name), "\n") {
			if n := utf8.RuneCountInString(line); n > mostLine {
				t.Errorf("%s:%d has %d letters, want %d at most", name, i+1, n, mostLine)
			}
		}
	}
}

func TestReadmeIsShort(t *testing.T) {
	text := readFile(t, "README.md")
	if lines := strings.Count(text, "\n"); lines > mostREADME || len(text) > mostBytes {
		t.Errorf("README.md has %d lines and %d bytes, want %d and %d at most", lines, len(text), mostREADME, mostBytes)
	}
}

var link = regexp.MustCompile(`\]\(([^)#: ]+)(#[^)]*)?\)`)

// TestLinksLeadSomewhere looks for the files that pages link to.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(readFile(t, name), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
	}
}

// pages are those that people wrote, by hand or with tables of ours in them.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md", "CONTRIBUTING.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "peers/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}
