package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalOf returns the terminal that w writes to, or nil. A terminal that calls itself dumb gets
// plain lines, as a file does.
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

// sizeOf asks a terminal for its size. If it does not know, as with a pseudo-terminal whose size
// was never set, 80 by 24 are assumed.
func sizeOf(terminal *os.File) (width, height int) {
	width, height, err := term.GetSize(int(terminal.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// widthOf is the width for tables on w, or 0 if w is no terminal.
func widthOf(w io.Writer) int {
	terminal := terminalOf(w)
	if terminal == nil {
		return 0
	}
	width, _ := sizeOf(terminal)
	return width
}
