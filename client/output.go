package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// output is where results go. It keeps the first error of writing, so that a
// result that was lost on the way is not taken for one that was printed.
type output struct {
	out io.Writer
	err error
}

// Write writes nothing more once it has failed.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.out.Write(p)
	if err != nil {
		o.err = fmt.Errorf("print result: %w", err)
	}
	return n, err
}

// sayer prints one line of what a call brought.
type sayer func(format string, args ...any)

// printable returns text with its control characters escaped as Go does it, "\x1b"
// for one: what a server sends must not move the cursor of a terminal, turn the
// direction of its text, or pass for a line of ours.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// counted is "1 greeting" or "2 greetings".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
