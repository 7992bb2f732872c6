package report

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// textWidth is how long a line of text may be where no width is asked for.
const textWidth = 120

// paragraph writes a text in lines that fit the width.
func paragraph(b *bytes.Buffer, text string, width int) { wrap(b, "", "", text, width) }

// item writes a text as one item of a list.
func item(b *bytes.Buffer, text string, width int) { wrap(b, "- ", "  ", text, width) }

// wrap breaks a text between words, but not within code, which a break would change. A
// word that is longer than a line is left whole.
func wrap(b *bytes.Buffer, first, next, text string, width int) {
	if width <= 0 || width > textWidth {
		width = textWidth
	}
	b.WriteString(first)
	column := len(first)
	for i, word := range wordsOf(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > width:
			b.WriteString("\n" + next)
			column = len(next)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	b.WriteByte('\n')
}

// wordsOf splits a text at spaces that are not within code.
func wordsOf(text string) []string {
	var all []string
	open := false
	for _, word := range strings.Fields(text) {
		if open {
			all[len(all)-1] += " " + word
		} else {
			all = append(all, word)
		}
		if strings.Count(word, "`")%2 == 1 {
			open = !open
		}
	}
	return all
}
