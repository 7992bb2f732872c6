package report

import (
	"fmt"
	"io"
)

// Fresh writes a line for each case.
func Fresh(w io.Writer, r Report) error {
	for _, s := range r.Summaries {
		if _, err := fmt.Fprintln(w, "fresh", s.Case.Stack, s.Case.Scenario); err != nil {
			return err
		}
	}
	return nil
}
