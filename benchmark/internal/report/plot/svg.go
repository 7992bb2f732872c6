package plot

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Measures in pixels. They assume wide letters, for the reader's font is unknown.
const (
	width       = 820.0
	top         = 74.0 // of what is plotted: title, line below it and the label of the axis are above
	bottom      = 48.0 // below it: ticks and the label of the axis
	letter      = 7.2
	lineHeight  = 15.0
	baseline    = 4.0 // from the middle of a line of text down to its baseline
	leastHeight = 290.0
	capHalf     = 3.0 // of the ends of a whisker
)

//go:embed svg.tmpl
var svgText string

var svgTemplate = template.Must(template.New("svg").Parse(svgText))

// drawing is a figure ready for the template.
type drawing struct {
	Title, Description    string
	About                 []text
	CSS                   template.CSS // empty within a page, which also holds Markers
	Markers               template.HTML
	Width, Height         float64
	Texts                 []text
	Grid, Axis, Reference string // paths
	Series                []series
}

// series is a line or a dot with its parts in one group, so that a page can highlight it.
type series struct {
	Class, Marker          string // the marker's is that of an element
	Line, Whiskers, Leader string // paths
	Points                 []text // with a marker at each
	Texts                  []text
}

// text stands at a place.
type text struct {
	X, Y  string
	Class string
	Text  string
}

func textAt(x, y float64, class, content string) text {
	return text{X: px(x), Y: px(y), Class: class, Text: content}
}

// WriteFile writes the figure as an SVG file of its own, style sheet included.
func (f Figure) WriteFile(w io.Writer) error {
	d := f.draw()
	d.CSS, d.Markers = template.CSS(CSS), Markers
	return d.write(w)
}

// Inline returns the figure as an element of a page whose style sheet holds CSS.
func (f Figure) Inline() (template.HTML, error) {
	var b bytes.Buffer
	if err := f.draw().write(&b); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

func (d drawing) write(w io.Writer) error {
	var b bytes.Buffer
	if err := svgTemplate.Execute(&b, d); err != nil {
		return fmt.Errorf("draw %q: %w", d.Title, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (f Figure) draw() drawing {
	d := drawing{Title: f.Title, Width: width}
	for i, line := range f.about() {
		d.About = append(d.About, textAt(12, 40+lineHeight*float64(i), "", line))
	}
	if len(f.Dots) > 0 {
		f.drawDots(&d)
	} else if len(f.Lines) > 0 {
		f.drawLines(&d)
	}
	return d
}

// about breaks the text below the title at a dot if it is too long for one line.
func (f Figure) about() []string {
	lines := []string{""}
	for i, part := range strings.Split(f.About, " · ") {
		last := &lines[len(lines)-1]
		switch {
		case i == 0:
			*last = part
		case textWidth(*last+" · "+part) > width-24:
			lines = append(lines, part)
		default:
			*last += " · " + part
		}
	}
	return lines
}

// top is the upper edge of the plotted area.
func (f Figure) top() float64 { return top + lineHeight*float64(len(f.about())-1) }

// textWidth is an estimate.
func textWidth(s string) float64 { return letter * float64(utf8.RuneCountInString(s)) }

// path is what an SVG path is made of, such as "M1 2L3 4".
type path struct{ strings.Builder }

func (p *path) move(x, y float64) { p.WriteString("M" + px(x) + " " + px(y)) }
func (p *path) draw(x, y float64) { p.WriteString("L" + px(x) + " " + px(y)) }

func (p *path) line(x1, y1, x2, y2 float64) {
	p.move(x1, y1)
	switch {
	case x1 == x2:
		p.WriteString("V" + px(y2))
	case y1 == y2:
		p.WriteString("H" + px(x2))
	default:
		p.draw(x2, y2)
	}
}

// px writes a length with as many digits as can be seen.
func px(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
