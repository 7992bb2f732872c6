package wire

import (
	"fmt"
	"regexp"
	"strings"
)

// Summary sums up one call, short enough to stand beside that of another.
type Summary struct {
	Sum
	Sequence  [2][]string // by Side: the frames of the call, or the parts of HTTP/1.1; equal neighbours are joined
	Envelopes [2]int      // by Side
	Deadline  []string    // its name and where it is
	Metadata  [2][]string // by Side: each one, followed by where it is
	Status    []string    // its text and where it is
}

// pieces are the kinds of lines that belong to a call itself. Others keep the connection going.
var pieces = map[string]bool{"head": true, "body": true, "chunk": true, "HEADERS": true, "DATA": true, "RST_STREAM": true}

// Summarise sums up the timeline of one call over HTTP/1.1 or HTTP/2.
func Summarise(t Timeline) Summary {
	s := Summary{Sum: t.Sum()}
	var runs [2][]run
	for _, l := range t.Lines {
		if !pieces[l.Kind] {
			continue
		}
		name := pieceName(l)
		runs[l.From] = lengthen(runs[l.From], name)
		if l.Kind == "head" && l.From == Server {
			s.Status = []string{l.What}
		}
		for _, p := range l.Parts {
			s.add(l.From, p, "in "+name)
		}
	}
	for side := range runs {
		for _, r := range runs[side] {
			s.Sequence[side] = append(s.Sequence[side], r.String())
		}
	}
	return s
}

func (s *Summary) add(from Side, p Part, where string) {
	name, _, _ := strings.Cut(p.Text, ": ")
	switch p.Role {
	case Envelope:
		s.Envelopes[from]++
	case Deadline:
		s.Deadline = []string{name, where}
	case Metadata:
		s.Metadata[from] = append(s.Metadata[from], name, where)
	case Status:
		if text, ok := strings.CutPrefix(p.Text, "end of stream "); ok {
			p.Text = "end of stream"
			s.addConnectTrailers(text, where)
		}
		s.Status = []string{p.Text, where}
	}
}

// trailerName finds the names in the metadata of Connect's end of stream.
var trailerName = regexp.MustCompile(`(?i)"(greet-[a-z-]+)":\[`)

func (s *Summary) addConnectTrailers(text, where string) {
	for _, m := range trailerName.FindAllStringSubmatch(text, -1) {
		s.Metadata[Server] = append(s.Metadata[Server], "end of stream "+strings.ToLower(m[1]), where)
	}
}

// detail matches the numbers in which frames of one kind differ, and which do not matter here.
var detail = regexp.MustCompile(` stream \d+| of [1-9]\d*`)

// pieceName is what a line is, without its numbers: "DATA END_STREAM", "chunk of 0".
func pieceName(l Line) string {
	if l.Kind == "head" {
		return l.Kind
	}
	return detail.ReplaceAllString(l.What, "")
}

// run is a piece that comes a number of times in a row.
type run struct {
	name  string
	times int
}

func lengthen(runs []run, name string) []run {
	if last := len(runs) - 1; last >= 0 && runs[last].name == name {
		runs[last].times++
		return runs
	}
	return append(runs, run{name, 1})
}

func (r run) String() string {
	if r.times == 1 {
		return r.name
	}
	return fmt.Sprintf("%s ×%d", r.name, r.times)
}
