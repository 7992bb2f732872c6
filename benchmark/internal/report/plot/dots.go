package plot

import "math"

const dotStep = 24.0

// drawDots draws a row for each dot, from the first at the top: its name, the dot with
// its interval, and the figure in words.
func (f Figure) drawDots(d *drawing) {
	names, values := 0.0, 0.0
	extent := []float64{f.X.Reference}
	for _, b := range f.Dots {
		names, values = max(names, textWidth(b.Label)), max(values, textWidth(b.Text))
		extent = append(extent, b.Value, b.High)
	}
	left, right := 12+names+12, width-values-20
	upper := f.top() - 18 // the only axis is below
	lower := upper + dotStep*float64(len(f.Dots))
	x := fit(f.X, extent, left, right)
	d.Height = lower + bottom
	d.Description = f.X.Label + "; " + count(len(f.Dots), "dot") + "."
	f.drawDotAxis(d, x, upper, lower)
	d.Texts = append(d.Texts, textAt((left+right)/2, lower+37, "middle", f.X.Label))
	for i, b := range f.Dots {
		d.Series = append(d.Series, b.series(x, left, right, upper+dotStep*(float64(i)+0.5)))
	}
}

func (f Figure) drawDotAxis(d *drawing, x scale, upper, lower float64) {
	var grid, axis path
	for _, t := range f.X.ticks(x) {
		grid.line(x.at(t.At), upper, x.at(t.At), lower)
		d.Texts = append(d.Texts, textAt(x.at(t.At), lower+18, "faint middle", t.Text))
	}
	axis.line(x.from, upper, x.from, lower)
	if f.X.Reference != 0 {
		var reference path
		reference.line(x.at(f.X.Reference), upper, x.at(f.X.Reference), lower)
		d.Reference = reference.String()
	}
	d.Grid, d.Axis = grid.String(), axis.String()
}

// series draws the dot at the height y, with a thin line from the axis to it.
func (b Dot) series(x scale, left, right, y float64) series {
	var stem, whisker path
	stem.line(left, y, x.at(b.Value), y)
	if low, high := x.at(b.Low), x.at(b.High); math.Abs(high-low) >= 1 {
		whisker.line(low, y, high, y)
		whisker.line(low, y-capHalf-1, low, y+capHalf+1)
		whisker.line(high, y-capHalf-1, high, y+capHalf+1)
	}
	return series{
		Class: colourClass(b.Colour), Marker: markers[0], Leader: stem.String(), Whiskers: whisker.String(),
		Points: []text{textAt(x.at(b.Value), y, "", b.Label+": "+b.Text)},
		Texts: []text{
			textAt(left-8, y+baseline, "end", b.Label),
			textAt(right+8, y+baseline, "faint", b.Text),
		},
	}
}
