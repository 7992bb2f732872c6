package scenario

import (
	"fmt"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// onLinux returns a scenario without cases if goos, a runtime.GOOS, is not Linux. It then says
// which figures only Linux has.
func onLinux(goos, figures string, s Scenario) Scenario {
	if goos == "linux" {
		return s
	}
	s.Cases = func([]stack.Stack) []result.Case { return nil }
	s.Lacks = func() []string {
		return []string{fmt.Sprintf("%s: it reads %s, which only Linux tells", s.Name, figures)}
	}
	return s
}
