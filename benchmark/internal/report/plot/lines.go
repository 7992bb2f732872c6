package plot

import (
	"fmt"
	"math"
)

const (
	leftOfLines = 72.0 // room for the ticks of the vertical axis
	toLabel     = 42.0 // from what is plotted to the labels beside it
	widestDodge = 4.0  // between whiskers at one place, so that they do not hide each other
)

// frame is the part of a figure that lines are drawn in.
type frame struct {
	x, y                     scale
	left, right, upper, last float64
	dodge                    float64 // between a line and the next
}

// drawLines makes room for a label beside each line, however many there are.
func (f Figure) drawLines(d *drawing) {
	longest := 0.0
	for _, l := range f.Lines {
		longest = max(longest, textWidth(l.Label))
	}
	fr := frame{left: leftOfLines, right: width - toLabel - longest - 8, upper: f.top()}
	fr.last = fr.upper + max(leastHeight, lineHeight*float64(len(f.Lines)))
	d.Height = fr.last + bottom
	d.Description = fmt.Sprintf("%s by %s; %s.", f.Y.Label, f.X.Label, count(len(f.Lines), "line"))
	xs, ys := f.extent()
	fr.dodge = f.dodge(fr.right - fr.left)
	aside := fr.dodge * float64(len(f.Lines)-1) / 2
	fr.x = fit(f.X, xs, fr.left+14+aside, fr.right-14-aside)
	fr.y = fit(f.Y, ys, fr.last, fr.upper)
	if len(f.X.Ticks) > 0 { // the points have made room for them
		fr.x.low, fr.x.high = f.X.Ticks[0].At, f.X.Ticks[len(f.X.Ticks)-1].At
	}
	f.drawAxes(d, fr)
	f.drawSeries(d, fr)
}

// dodge is the distance between whiskers at one tick: 0 without whiskers, and small enough to keep
// away from the next tick.
func (f Figure) dodge(room float64) float64 {
	for _, l := range f.Lines {
		for _, p := range l.Points {
			if p.Low != p.High {
				return min(widestDodge, room/float64(4*(1+len(f.X.Ticks))*len(f.Lines)))
			}
		}
	}
	return 0
}

// extent lists the values that the axes must have room for.
func (f Figure) extent() (xs, ys []float64) {
	for _, l := range f.Lines {
		for _, p := range l.Points {
			xs = append(xs, p.X)
			ys = append(ys, p.Y)
			if p.Low != p.High {
				ys = append(ys, p.Low, p.High)
			}
		}
	}
	return xs, ys
}

func (f Figure) drawAxes(d *drawing, fr frame) {
	var grid, axis path
	free := fr.last
	for _, t := range f.Y.ticks(fr.y) {
		y := fr.y.at(t.At)
		grid.line(fr.left, y, fr.right, y)
		if y <= free {
			d.Texts = append(d.Texts, textAt(fr.left-8, y+baseline, "faint end", t.Text))
			free = y - lineHeight
		}
	}
	free = 0
	for _, t := range f.X.ticks(fr.x) {
		x := fr.x.at(t.At)
		axis.line(x, fr.last, x, fr.last+5)
		if half := textWidth(t.Text) / 2; x-half >= free {
			d.Texts = append(d.Texts, textAt(x, fr.last+20, "faint middle", t.Text))
			free = x + half + letter
		}
	}
	axis.line(fr.left, fr.last, fr.right, fr.last)
	d.Grid, d.Axis = grid.String(), axis.String()
	d.Texts = append(d.Texts,
		textAt(12, fr.upper-14, "", f.Y.Label),
		textAt((fr.left+fr.right)/2, fr.last+38, "middle", f.X.Label))
}

// ticks returns those given, or chooses.
func (a Axis) ticks(s scale) []Tick {
	if len(a.Ticks) > 0 {
		return a.Ticks
	}
	var ticks []Tick
	for _, v := range s.ticks() {
		ticks = append(ticks, Tick{v, a.Text(v)})
	}
	return ticks
}

func (f Figure) drawSeries(d *drawing, fr frame) {
	ends := make([]float64, len(f.Lines))
	for i, l := range f.Lines {
		ends[i] = fr.y.at(l.Points[len(l.Points)-1].Y)
	}
	labels := spread(ends, lineHeight, fr.upper, fr.last)
	looks := markersOf(f.Lines)
	for i, l := range f.Lines {
		shift := fr.dodge * (float64(i) - float64(len(f.Lines)-1)/2)
		s := l.series(fr, shift)
		s.Marker = markers[looks[i]]
		end := fr.x.at(l.Points[len(l.Points)-1].X) + shift
		var leader path
		leader.line(end+6, ends[i], fr.right+toLabel-16, labels[i])
		s.Leader = leader.String()
		s.Points = append(s.Points, textAt(fr.right+toLabel-8, labels[i], "", ""))
		s.Texts = []text{textAt(fr.right+toLabel, labels[i]+baseline, "", l.Label)}
		d.Series = append(d.Series, s)
	}
}

// series draws the line, moved aside by shift.
func (l Line) series(fr frame, shift float64) series {
	s := series{Class: colourClass(l.Colour)}
	var line, whiskers path
	for i, p := range l.Points {
		x, y := fr.x.at(p.X)+shift, fr.y.at(p.Y)
		if i == 0 || p.Gap {
			line.move(x, y)
		} else {
			line.draw(x, y)
		}
		if low, high := fr.y.at(p.Low), fr.y.at(p.High); math.Abs(high-low) >= 1 {
			whiskers.line(x, low, x, high)
			whiskers.line(x-capHalf, low, x+capHalf, low)
			whiskers.line(x-capHalf, high, x+capHalf, high)
		}
		s.Points = append(s.Points, textAt(x, y, "", p.Text))
	}
	s.Line, s.Whiskers = line.String(), whiskers.String()
	return s
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
