package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/greet/benchmark/internal/result"
)

type planCommand struct{ selection }

// Run lists the cases of the first round, which has them all, and says how long a
// run of them would take.
func (c planCommand) Run(ctx context.Context, out output) error {
	r, err := c.newRun(ctx, nil)
	if err != nil {
		return err
	}
	for _, one := range r.Plan(1) {
		fmt.Fprintln(out.data, describe(one))
	}
	fmt.Fprintln(out.log, outline(r))
	sayWhatIsSkipped(out.log, r)
	return nil
}

// describe is a case on one line.
func describe(c result.Case) string {
	name := c.Stack
	if c.Replica != "" {
		name += " (" + c.Replica + ")"
	}
	if c.Client == floorClient || c.ClientLanguage != "" || slices.Contains(comparisons, c.Kind) {
		name += " by " + c.Client
	}
	text := fmt.Sprintf("%-13s %-27s", c.Scenario, name)
	if c.Direction != "" {
		return fmt.Sprintf("%s %-13s payload %7d B", text, c.Direction, c.Payload)
	}
	text += fmt.Sprintf(" %-13s payload %7d B  concurrency %2d  connections %2d", c.Mode, c.Payload, c.Concurrency, c.Connections)
	if c.Load > 0 {
		text += fmt.Sprintf("  load %2.0f%%", 100*c.Load)
	}
	if c.Kind != "" {
		text += "  " + c.Kind
	}
	if c.Calls > 0 {
		text += fmt.Sprintf("  calls %4d", c.Calls)
	}
	if c.Messages > 1 {
		text += fmt.Sprintf("  messages %4d", c.Messages)
	}
	return text
}

// spoken rounds a duration to what a person waits by.
func spoken(d time.Duration) string {
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
