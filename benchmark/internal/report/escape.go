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

// code sets a text as code, in which Markdown sees only backticks.
func code(text string) string { return "`" + strings.ReplaceAll(oneLine(text), "`", "'") + "`" }

// codeInCell sets it so that tables see no end of a cell in it either.
func codeInCell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// commandCode sets a command as code in which each character is its own, so that
// it can be pasted, whatever its length.
func commandCode(command string) string {
	fence, command := "`", visible(command)
	for strings.Contains(command, fence) {
		fence += "`"
	}
	if strings.HasPrefix(command, "`") || strings.HasSuffix(command, "`") {
		command = " " + command + " " // Markdown takes them off again
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
