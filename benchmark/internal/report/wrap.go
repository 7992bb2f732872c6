package report

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

// textWidth is the length of a line of text if no width is given.
const textWidth = 120

// paragraph writes a text in lines that fit the width.
func paragraph(b *bytes.Buffer, text string, width int) { wrap(b, "", "", text, width) }

// item writes a text as one item of a list.
func item(b *bytes.Buffer, text string, width int) { wrap(b, "- ", "  ", text, width) }

// WriteItem writes a text as one item of a list, in lines that a page takes.
func WriteItem(w io.Writer, text string) {
	var b bytes.Buffer
	item(&b, text, textWidth)
	_, _ = b.WriteTo(w)
}

// wrap breaks a text between words, but not within code, which breaks would change.
func wrap(b *bytes.Buffer, first, next, text string, width int) {
	if width <= 0 || width > textWidth {
		width = textWidth
	}
	begin := first
	for _, line := range fill(wordsOf(text), width-len(next)) {
		b.WriteString(begin + line + "\n")
		begin = next
	}
}

// fill puts words on lines of the width. A word that is longer has a line to itself.
func fill(words []string, width int) []string {
	var lines []string
	room := 0
	for _, word := range words {
		length := utf8.RuneCountInString(word)
		if len(lines) > 0 && length < room {
			lines[len(lines)-1] += " " + word
			room -= length + 1
			continue
		}
		lines = append(lines, word)
		room = width - length
	}
	return lines
}

// wordsOf splits a text at spaces that are not within code.
func wordsOf(text string) []string {
	var all []string
	open := false
	for word := range strings.FieldsSeq(text) {
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
