package wire

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Widths of the text, in characters.
const (
	lineWidth    = 100
	meaningAt    = 56
	partIndent   = 20
	shownOfKind  = 12 // lines of one kind and side; the rest are added up
	shownOfParts = 20
)

var arrows = [...]string{Client: "→", Server: "←"}

// WriteText writes the timeline for a terminal: a line for each thing that was sent, → to the
// server and ← from it, and at the end the sums.
func WriteText(w io.Writer, t Timeline) error {
	var b strings.Builder
	b.WriteString("      ms  bytes\n")
	more := map[group]*extra{}
	var order []group
	for _, l := range t.Lines {
		g := group{l.From, l.Kind}
		if more[g] == nil {
			more[g] = new(extra)
			order = append(order, g)
		}
		more[g].seen++
		if l.From != Program && more[g].seen > shownOfKind {
			more[g].size += l.Size
			more[g].last = l
			continue
		}
		writeLine(&b, l)
	}
	for _, g := range order {
		more[g].write(&b, g)
	}
	writeSum(&b, t)
	_, err := io.WriteString(w, b.String())
	return err
}

// group is one kind and side of lines, of which too many are added up.
type group struct {
	from Side
	kind string
}

// extra counts the lines of a group that are not shown.
type extra struct {
	seen, size int
	last       Line
}

func (e *extra) write(b *strings.Builder, g group) {
	if n := e.seen - shownOfKind; g.from != Program && n > 0 {
		fmt.Fprintf(b, "%8.2f %6s  %s and %s more %s\n", ms(e.last), Number(e.size), arrows[g.from], Number(n), g.kind)
	}
}

func ms(l Line) float64 { return float64(l.At.Microseconds()) / 1000 }

func writeLine(b *strings.Builder, l Line) {
	if l.From == Program {
		fmt.Fprintf(b, "%8.2f         %s\n", ms(l), l.What)
		return
	}
	size := ""
	if l.Size > 0 {
		size = Number(l.Size)
	}
	writeRow(b, fmt.Sprintf("%8.2f %6s  %s %s", ms(l), size, arrows[l.From], l.What), l.Meaning)
	for i, p := range l.Parts {
		if i == shownOfParts {
			fmt.Fprintf(b, "%*s… %d more\n", partIndent, "", len(l.Parts)-i)
			break
		}
		writeRow(b, strings.Repeat(" ", partIndent)+p.Text, p.Meaning)
	}
}

// writeRow writes text with its meaning beside it, or below it where there is no
// room.
func writeRow(b *strings.Builder, text, meaning string) {
	lines := wrap(text, lineWidth, partIndent+2)
	last := lines[len(lines)-1]
	beside := max(utf8.RuneCountInString(last)+2, meaningAt)
	switch {
	case meaning == "":
		b.WriteString(strings.Join(lines, "\n"))
	case beside+2+utf8.RuneCountInString(meaning) <= lineWidth:
		pad := strings.Repeat(" ", beside-utf8.RuneCountInString(last))
		b.WriteString(strings.Join(lines, "\n") + pad + "# " + meaning)
	default:
		b.WriteString(strings.Join(append(lines, wrap(strings.Repeat(" ", partIndent+2)+"# "+meaning, lineWidth, partIndent+4)...), "\n"))
	}
	b.WriteByte('\n')
}

// wrap breaks text into lines of at most width, all but the first indented.
func wrap(text string, width, indent int) []string {
	var lines []string
	for rest := []rune(text); ; {
		if len(rest) <= width {
			return append(lines, string(rest))
		}
		at := width
		for at > indent+width/3 && rest[at] != ' ' {
			at--
		}
		if rest[at] != ' ' {
			at = width
		}
		lines = append(lines, string(rest[:at]))
		rest = append([]rune(strings.Repeat(" ", indent)), []rune(strings.TrimLeft(string(rest[at:]), " "))...)
	}
}

// writeSum says how many bytes carried messages and how many did not, and lists the latter by kind.
func writeSum(b *strings.Builder, t Timeline) {
	s := t.Sum()
	total := s.Sent + s.Received
	fmt.Fprintf(b, "sent %s bytes, received %s: of these %s, %s carried messages and %s all else\n",
		Number(s.Sent), Number(s.Received), Number(total), Number(s.Message), Number(total-s.Message))
	var kinds []string
	sizes := map[string]int{}
	for _, l := range t.Lines {
		if l.Size > 0 && sizes[l.Kind] == 0 {
			kinds = append(kinds, l.Kind)
		}
		sizes[l.Kind] += l.Size
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return sizes[b] - sizes[a] })
	for i, kind := range kinds {
		kinds[i] = kind + " " + Number(sizes[kind])
	}
	if len(kinds) > 0 {
		fmt.Fprintf(b, "by kind: %s\n", strings.Join(kinds, ", "))
	}
}

var printer = message.NewPrinter(language.English)

// Number is n with its thousands set apart: 12,345.
func Number(n int) string { return printer.Sprintf("%d", n) }
