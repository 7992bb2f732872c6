package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds texts that come from outside, such as the first error.
const maxText = 200

// markup escapes the characters that mean something to Markdown or HTML. An underscore within a
// word means nothing to GitHub, and is common in names.
var markup = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
)

// plain escapes a text so that Markdown shows it unchanged.
func plain(text string) string { return markup.Replace(oneLine(text)) }

// code formats a text as code, in which only backticks mean something to Markdown.
func code(text string) string { return "`" + strings.ReplaceAll(oneLine(text), "`", "'") + "`" }

// codeInCell formats it for a cell, whose end a bar would be.
func codeInCell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// commandCode formats a command as code without changing or shortening it, so that it can be
// pasted.
func commandCode(command string) string {
	fence, command := "`", visible(command)
	for strings.Contains(command, fence) {
		fence += "`"
	}
	if strings.HasPrefix(command, "`") || strings.HasSuffix(command, "`") {
		command = " " + command + " " // Markdown removes these spaces
	}
	return fence + command + fence
}

// oneLine replaces control characters by spaces and cuts off a long text.
func oneLine(text string) string {
	text = visible(text)
	if utf8.RuneCountInString(text) > maxText {
		text = string([]rune(text)[:maxText]) + "…"
	}
	return text
}

// visible replaces control characters by spaces.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// capital writes the first letter large.
func capital(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
