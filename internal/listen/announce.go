package listen

import (
	"fmt"
	"io"
)

// Announce writes the line that says a server is ready: "listening HOST:PORT",
// or "listening LABEL HOST:PORT" when label is not empty. Programs wait for it
// and parse it.
func Announce(w io.Writer, label, addr string) error {
	line := "listening " + addr
	if label != "" {
		line = "listening " + label + " " + addr
	}
	if _, err := fmt.Fprintln(w, line); err != nil {
		return fmt.Errorf("announce %s: %w", addr, err)
	}
	return nil
}
