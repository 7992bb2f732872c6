package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds texts that come from outside, such as the first error.
const maxText = 200

// markup are the characters that Markdown or HTML could take for their own.
// An underscore within a word is none of it to GitHub, and common in names.
var markup = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
)

// plain makes a text that Markdown shows as it is.
func plain(text string) string { return markup.Replace(oneLine(text)) }

// code sets a text as code, in which Markdown sees only backticks, and tables see
// upright strokes too.
func code(text string) string {
	text = strings.NewReplacer("`", "'", "|", "¦").Replace(oneLine(text))
	return "`" + text + "`"
}

// oneLine replaces control characters by spaces and cuts off a long text.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) > maxText {
		text = string([]rune(text)[:maxText]) + "…"
	}
	return text
}

// capital writes the first letter large.
func capital(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
