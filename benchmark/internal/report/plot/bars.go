package plot

import "math"

const (
	barHeight = 13.0
	barStep   = 21.0
)

// drawBars draws bars that lie, so that their names can be read.
func (f Figure) drawBars(d *drawing) {
	names, values := 0.0, 0.0
	extent := []float64{f.X.Reference}
	for _, b := range f.Bars {
		names, values = max(names, textWidth(b.Label)), max(values, textWidth(b.Text))
		extent = append(extent, b.Value, b.High)
	}
	left, right := 12+names+12, width-values-20
	upper := top - 18 // no label above: there is one axis
	lower := upper + barStep*float64(len(f.Bars))
	x := fit(f.X, extent, left, right)
	d.Height = lower + bottom
	d.Description = f.X.Label + "; " + count(len(f.Bars), "bar") + "."
	var grid, axis path
	for _, t := range f.X.ticks(x) {
		grid.line(x.at(t.At), upper, x.at(t.At), lower)
		d.Texts = append(d.Texts, textAt(x.at(t.At), lower+18, "faint middle", t.Text))
	}
	axis.line(left, upper, left, lower)
	if f.X.Reference != 0 {
		var reference path
		reference.line(x.at(f.X.Reference), upper, x.at(f.X.Reference), lower)
		d.Reference = reference.String()
	}
	d.Grid, d.Axis = grid.String(), axis.String()
	d.Texts = append(d.Texts, textAt((left+right)/2, lower+37, "middle", f.X.Label))
	for i, b := range f.Bars {
		d.Series = append(d.Series, b.series(x, left, right, upper+barStep*(float64(i)+0.5)))
	}
}

// series draws the bar around the height y.
func (b Bar) series(x scale, left, right, y float64) series {
	var bar, whisker path
	end, half := x.at(b.Value), barHeight/2
	bar.move(left, y-half)
	bar.draw(end, y-half)
	bar.draw(end, y+half)
	bar.draw(left, y+half)
	bar.WriteString("Z")
	if low, high := x.at(b.Low), x.at(b.High); math.Abs(high-low) >= 1 {
		whisker.line(low, y, high, y)
		whisker.line(low, y-capHalf, low, y+capHalf)
		whisker.line(high, y-capHalf, high, y+capHalf)
	}
	return series{
		Class: colourClass(b.Style), Bar: bar.String(), Whiskers: whisker.String(),
		Texts: []text{
			textAt(left-8, y+baseline, "end", b.Label),
			textAt(right+8, y+baseline, "faint", b.Text),
		},
	}
}
