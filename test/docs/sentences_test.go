package docs_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	whatItShows = regexp.MustCompile(`(?s)\nWhat it shows\..*?\n(?:\n|$)`)
	number      = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	// A digit within a name, such as h2, is no number.
	named = regexp.MustCompile("`[^`]*`|HTTP/[\\d.]+")
)

// TestSentencesCiteTables holds each number in the paragraphs "What it shows." to the tables of the
// section above them: one of their figures must round to it.
func TestSentencesCiteTables(t *testing.T) {
	page := readFile(t, "docs/known-cases.md")
	paragraphs := whatItShows.FindAllStringIndex(page, -1)
	if len(paragraphs) != 3 {
		t.Fatalf("%d paragraphs say what a table shows, want 3", len(paragraphs))
	}
	for _, at := range paragraphs {
		section := page[strings.LastIndex(page[:at[0]], "\n## "):at[0]]
		var figures []string
		for _, match := range table.FindAllStringSubmatch(section, -1) {
			figures = append(figures, number.FindAllString(match[4], -1)...)
		}
		for _, cited := range number.FindAllString(named.ReplaceAllString(page[at[0]:at[1]], ""), -1) {
			if !cites(strings.TrimSuffix(cited, ","), figures) {
				t.Errorf("no table above rounds to %s", cited)
			}
		}
	}
}

// cites reports whether one of the figures is the number, rounded to its last digit that is not 0.
func cites(cited string, figures []string) bool {
	want := parsed(cited)
	place := 1.0
	for want != 0 && math.Mod(want, place*10) == 0 {
		place *= 10
	}
	for _, figure := range figures {
		if math.Abs(parsed(figure)-want) <= place/2 {
			return true
		}
	}
	return false
}

// parsed is NaN, which is near nothing, for a text that is no number.
func parsed(text string) float64 {
	value, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return value
}
