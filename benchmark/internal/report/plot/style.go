package plot

import (
	_ "embed"
	"fmt"
	"html/template"
)

// CSS is the style sheet of all figures, for a page that holds them. A figure in a file of its own
// contains it.
//
//go:embed plot.css
var CSS string

// Colours is the number of colours in plot.css: as many as the colour-blind can tell apart. Lines
// of one colour have different markers and names beside them, so nobody has to tell colours apart.
const Colours = 8

// Markers defines the shapes at points, around the origin. A page that holds figures needs it once,
// within an svg element.
const Markers template.HTML = `<defs>
<path id="circle" d="M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z"/>
<path id="square" d="M-3.5-3.5h7v7h-7Z"/>
<path id="triangle" d="M0-4.5L4.5 3.5h-9Z"/>
<path id="diamond" d="M0-5L5 0L0 5L-5 0Z"/>
<path id="wedge" d="M0 4.5L-4.5-3.5h9Z"/>
<path id="cross" d="M-4.5-1.5h3v-3h3v3h3v3h-3v3h-3v-3h-3Z"/>
</defs>`

// markers are the names of the shapes.
var markers = []string{"circle", "square", "triangle", "diamond", "wedge", "cross"}

func colourClass(colour int) string { return fmt.Sprintf("c%d", colour%Colours) }

// signs are the markers as text, for legends.
var signs = []string{"●", "■", "▲", "◆", "▼", "✚"}

// markersOf gives the lines of one colour different markers, by number, in their order.
func markersOf(lines []Line) []int {
	chosen, seen := make([]int, len(lines)), map[int]int{}
	for i, l := range lines {
		colour := l.Colour % Colours
		chosen[i] = seen[colour] % len(markers)
		seen[colour]++
	}
	return chosen
}
