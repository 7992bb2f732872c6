package main

import (
	"fmt"
	"io"
)

func sayWhatIsSkipped(w io.Writer, skipped []string) {
	for _, text := range skipped {
		fmt.Fprintln(w, "skipped:", text)
	}
}
