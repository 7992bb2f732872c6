package wire

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

// Section is one call on a page.
type Section struct {
	Title    string
	Timeline Timeline
}

//go:embed page.html.tmpl
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// WriteHTML writes a self-contained page. Each section has a sequence diagram, with the contents
// written out below each arrow.
func WriteHTML(w io.Writer, sections []Section) error {
	diagrams := make([]diagram, len(sections))
	for i, s := range sections {
		diagrams[i] = newDiagram(s)
	}
	if err := page.Execute(w, diagrams); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// diagram is a section as the template draws it.
type diagram struct {
	Title  string
	Steps  []step
	Sum    string
	Detail string
}

// step is one arrow of a diagram, or one line of the program's own.
type step struct {
	Line
	Class string // to, from or program
	Time  string
	Bytes string
}

var stepClasses = [...]string{Client: "to", Server: "from", Program: "program"}

func newDiagram(s Section) diagram {
	d := diagram{Title: s.Title}
	seen := map[group]int{}
	for _, l := range s.Timeline.Lines {
		g := group{l.From, l.Kind}
		seen[g]++
		if l.From != Program && seen[g] > shownOfKind {
			continue
		}
		size := ""
		if l.Size > 0 {
			size = Number(l.Size) + " bytes"
		}
		if extra := len(l.Parts) - shownOfParts; extra > 0 {
			l.Parts = append(l.Parts[:shownOfParts:shownOfParts], Part{Text: fmt.Sprintf("… %d more", extra)})
		}
		d.Steps = append(d.Steps, step{Line: l, Class: stepClasses[l.From], Time: fmt.Sprintf("%.2f ms", ms(l)), Bytes: size})
	}
	hidden := 0
	for _, n := range seen {
		hidden += max(0, n-shownOfKind)
	}
	sum := s.Timeline.Sum()
	d.Sum = fmt.Sprintf("sent %s bytes, received %s; %s of them carried messages", Number(sum.Sent), Number(sum.Received), Number(sum.Message))
	if hidden > 0 {
		d.Detail = fmt.Sprintf("%s more arrows of the same kinds are not drawn; their bytes are counted.", Number(hidden))
	}
	return d
}
