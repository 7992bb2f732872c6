package plot

import "math"

// Figure is one plot: lines if Dots is empty.
type Figure struct {
	Name  string // of a file, and unique among the figures of a page
	Title string
	About string // one line below the title: what all the cases share
	X, Y  Axis
	Lines []Line // over X and Y
	Dots  []Dot  // over X alone, from the first at the top
}

// Axis is one of the two axes of a figure.
type Axis struct {
	Label string
	Log   bool
	// Ticks are the ticks to draw. If there are none, the axis chooses some that suit the values.
	Ticks []Tick
	// Text writes the value of a tick that was chosen.
	Text func(float64) string
	// Reference draws a line across the plot at a value; 0 draws none.
	Reference float64
}

// Tick is a mark on an axis.
type Tick struct {
	At   float64
	Text string
}

// Line joins points from left to right.
type Line struct {
	Label  string
	Colour int // equal numbers look alike, in all figures; from 0
	Points []Point
}

// Point is one value. Low and High are the ends of its whisker, which is drawn
// if they differ.
type Point struct {
	X, Y      float64
	Low, High float64
	Gap       bool   // no line leads here, because a value before it is missing
	Text      string // shown where a mouse rests on the point
}

// Dot is one value with a name.
type Dot struct {
	Label     string
	Colour    int
	Value     float64
	Low, High float64
	Text      string // shown at the end of its row
}

// Decades reports whether positive values differ by a factor of 10 or more: a linear axis would
// press the small ones flat.
func Decades(values []float64) bool {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if v <= 0 {
			return false
		}
		low, high = min(low, v), max(high, v)
	}
	return high >= 10*low
}
