package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalOf returns the terminal that w writes to, or nil. One that says it is dumb
// takes lines as a file does.
func terminalOf(w io.Writer) *os.File {
	if checked, ok := w.(*checkedWriter); ok {
		w = checked.w
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return file
}

// sizeOf asks a terminal for its size. One that does not know it, as a pseudo-terminal
// that nobody has given a size, counts as 80 by 24.
func sizeOf(terminal *os.File) (width, height int) {
	width, height, err := term.GetSize(int(terminal.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// widthOf is what a table written to w must fit into: 0 if w is no terminal.
func widthOf(w io.Writer) int {
	terminal := terminalOf(w)
	if terminal == nil {
		return 0
	}
	width, _ := sizeOf(terminal)
	return width
}
