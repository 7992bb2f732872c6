package scenario

import (
	"fmt"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// onLinux leaves the scenario without cases where goos, a runtime.GOOS, is another
// system, and says which figures only Linux tells.
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
