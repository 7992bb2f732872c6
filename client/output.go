package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// output is where results go. It keeps the first write error, so that a result that was never
// printed does not count as success.
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

// sayer prints one line of a call's result.
type sayer func(format string, args ...any)

// printable escapes control characters as Go does, such as "\x1b". A server's text must not move
// the terminal's cursor, reverse the direction of text, or pass for a line of ours.
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
