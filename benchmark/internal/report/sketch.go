package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/greet/benchmark/internal/report/plot"
)

const (
	sketchWidth = 100 // of a sketch if no width is given
	leastTrack  = 10
)

// sketch draws the ranking as text: a row for each dot, from 0 to the highest.
func (a answer) sketch(width int) string {
	if width <= 0 || width > sketchWidth {
		width = sketchWidth
	}
	dots := a.picture().Dots
	names, figures, highest := 0, 0, 0.0
	for _, d := range dots {
		names, figures = max(names, utf8.RuneCountInString(d.Label)), max(figures, utf8.RuneCountInString(d.Text))
		highest = max(highest, d.Value, d.High)
	}
	track := width - names - 3
	withFigures := track-figures-1 >= leastTrack
	if withFigures {
		track -= figures + 1
	}
	var b strings.Builder
	for _, d := range dots {
		fmt.Fprintf(&b, "%-*s │%s", names, d.Label, bar(d, highest, max(track, leastTrack)))
		if withFigures {
			fmt.Fprintf(&b, " %*s", figures, d.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// bar draws one row of that many letters.
func bar(d plot.Dot, highest float64, width int) string {
	row := []rune(strings.Repeat(" ", width))
	at := func(v float64) int {
		if !(highest > 0) {
			return 0
		}
		return max(0, min(width-1, int(v/highest*float64(width-1)+0.5)))
	}
	for i := at(d.Low); i <= at(d.High); i++ {
		row[i] = '─'
	}
	row[at(d.Value)] = '●'
	return string(row)
}
