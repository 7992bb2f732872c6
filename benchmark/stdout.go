package main

import (
	"fmt"
	"io"
)

// checkedWriter keeps the first error, so that code that prints line by line need not check each.
// One goroutine may use it.
type checkedWriter struct {
	w   io.Writer
	err error
}

// Write writes nothing more after an error.
func (c *checkedWriter) Write(text []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(text)
	if err != nil {
		c.err = fmt.Errorf("write to standard output: %w", err)
	}
	return n, c.err
}
