package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/plan"
)

// factsPage is the page that the facts stand in.
const factsPage = "docs/fairness.md"

var factsDate = regexp.MustCompile(`^Read on \d{4}-\d\d-\d\d on .*, commit .*, by .*\.\n`)

// grid is a table of Markdown: its head, then its rows.
type grid [][]string

// column is without the head.
func (g grid) column(i int) (cells []string) {
	for _, row := range g[min(1, len(g)):] {
		cells = append(cells, row[i])
	}
	return cells
}

// named is the column with that head.
func (g grid) named(t *testing.T, head string) []string {
	t.Helper()
	i := slices.Index(g[0], head)
	if i < 0 {
		t.Fatalf("no column %q is among %q", head, g[0])
	}
	return g.column(i)
}

// tablesIn reads the tables below headings of the third level. Each row must have as
// many cells as its head, and none may be empty.
func tablesIn(t *testing.T, text string) map[string]grid {
	t.Helper()
	tables := make(map[string]grid)
	title := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			title = heading
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|-") {
			continue
		}
		row := strings.Split(strings.Trim(line, "|"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		tables[title] = append(tables[title], row)
		if len(row) != len(tables[title][0]) || slices.Contains(row, "") {
			t.Errorf("%s: a row of %d cells, one of them empty or not as many as in the head: %s", title, len(row), line)
		}
	}
	return tables
}

// TestFactsPage wants each peer, and both ends of each stack, in the page, and no
// compression at either. Other figures vary, and have a date.
func TestFactsPage(t *testing.T) {
	t.Chdir("..")
	page, err := os.ReadFile(factsPage)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begun := strings.Cut(string(page), "<!-- facts -->\n")
	facts, _, ended := strings.Cut(rest, "<!-- end of facts -->\n")
	if !begun || !ended || !factsDate.MatchString(facts) {
		t.Fatalf("%s has no facts, or none with a date", factsPage)
	}
	tables := tablesIn(t, facts)
	all, err := plan.FindPeers()
	if err != nil {
		t.Fatal(err)
	}
	missing := missingFacts(tables, all)
	for _, text := range missing {
		t.Errorf("%s lacks %s: put the output of go run ./benchmark peers --facts there", factsPage, text)
	}
	for _, title := range []string{"Servers", "Clients"} {
		if cells := tables[title].named(t, "compression"); slices.ContainsFunc(cells, func(text string) bool { return text != "none" }) {
			t.Errorf("%s: %q, want none", title, cells)
		}
	}
}

func missingFacts(tables map[string]grid, all []plan.PeerStack) (missing []string) {
	want := func(table, row string) {
		text := fmt.Sprintf("a row %s among %s", row, table)
		if !slices.Contains(tables[table].column(0), row) && !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	}
	for _, name := range comparedStacks {
		want("Servers", "`"+name+"`")
		want("Clients", "`"+name+"`")
	}
	for _, one := range all {
		want("Builds", one.Peer.Name)
		want("Servers", "`"+one.Name.String()+"`")
		if one.Peer.BenchArgv(one.Offer) != nil {
			want("Clients", "`"+one.Name.String()+"`")
		}
	}
	return missing
}
