package report

import (
	"fmt"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// controls says how far stacks differed from themselves: a sentence for each stack that the run
// measured under two names.
func controls(r Report) []string {
	var texts []string
	floor := result.NoiseFloor(r.Summaries)
	for i, c := range floor {
		if i > 0 && floor[i-1].Stack == c.Stack {
			texts[len(texts)-1] += ";\n" + controlText(c)
			continue
		}
		texts = append(texts, "A/A control: "+code(c.Stack)+" under two names differs from itself "+controlText(c))
	}
	for i := range texts {
		texts[i] += ". Less than that between two stacks is noise."
	}
	return texts
}

// controlText is what the control says of one metric.
func controlText(c result.Control) string {
	text := fmt.Sprintf("by %s to %s in %s", signedPercent(c.Low), signedPercent(c.High), words(c.Metric))
	var remarks []string
	if c.Pairs > 1 {
		remarks = append(remarks, fmt.Sprintf("the widest of %d pairs", c.Pairs))
	}
	switch {
	case !c.Claimed:
		remarks = append(remarks, "single rounds, for there are too few for an interval")
	case c.Different > 0:
		remarks = append(remarks, fmt.Sprintf("%d of %d called different, where 1 in 20 is to be expected", c.Different, c.Pairs))
	}
	if len(remarks) > 0 {
		text += " (" + strings.Join(remarks, "; ") + ")"
	}
	return text
}

// signedPercent writes a ratio as a change, such as +2.0% or −1.2%.
func signedPercent(ratio float64) string {
	text := fmt.Sprintf("%+.1f%%", 100*(ratio-1))
	return strings.Replace(strings.Replace(text, "-0.0%", "+0.0%", 1), "-", "−", 1)
}
