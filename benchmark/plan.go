package main

import (
	"context"
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/plan"
)

type planCommand struct{ selection }

// Run lists the cases of the first round, which has all cases, and says how long a run would take.
func (c planCommand) Run(ctx context.Context, out output) error {
	r, err := c.newRun(ctx, nil)
	if err != nil {
		return err
	}
	for _, e := range r.Plan.Entries {
		fmt.Fprintln(out.data, plan.Describe(e.Case))
	}
	fmt.Fprintln(out.log, outline(r))
	sayWhatIsSkipped(out.log, r.Plan.Skipped)
	return nil
}

// forPeople rounds a duration to seconds or minutes, as people give them.
func forPeople(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	text := d.Round(time.Second).String()
	if d >= 10*time.Minute {
		text = d.Round(time.Minute).String()
		text = text[:len(text)-len("0s")]
	}
	return text
}
