package plot

import (
	_ "embed"
	"fmt"
)

// CSS is the style sheet of all figures, for a page that holds them. A figure
// that is a file of its own has it inside.
//
//go:embed plot.css
var CSS string

// The colours are in plot.css. Their number, that of the markers and that of the
// dashes have no common divisor, so 7 × 6 × 5 styles differ, and those that are
// alike in one thing differ in the others: no one need tell colours apart.
const colours = 7

var dashes = []string{"", "7 3", "2 3", "9 3 2 3", "4 2 4 6"}

// markers are drawn around the origin.
var markers = []string{
	"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
	"M-3.5-3.5h7v7h-7Z",
	"M0-4.5L4.5 3.5h-9Z",
	"M0-5L5 0L0 5L-5 0Z",
	"M0 4.5L-4.5-3.5h9Z",
	"M-4.5-1.5h3v-3h3v3h3v3h-3v3h-3v-3h-3Z",
}

func colourClass(style int) string { return fmt.Sprintf("c%d", style%colours) }
func dash(style int) string        { return dashes[style%len(dashes)] }
func marker(style int) string      { return markers[style%len(markers)] }
