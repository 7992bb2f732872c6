package plan

import (
	"fmt"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// Describe is a case on one line, in columns.
func Describe(c result.Case) string {
	name := c.Stack
	if c.Replica != "" {
		name += " (" + c.Replica + ")"
	}
	if named(c) {
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

// Words is a case as a plan lists it, without the padding.
func Words(c result.Case) string { return strings.Join(strings.Fields(Describe(c)), " ") }
