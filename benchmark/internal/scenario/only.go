package scenario

import (
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// Only is the scenario with those of its cases that keep allows. It may mark them
// with what they are compared for; see result.Case.Kind.
func Only(s Scenario, keep func(*result.Case) bool) Scenario {
	cases := s.Cases
	s.Cases = func(stacks []stack.Stack) []result.Case {
		var kept []result.Case
		for _, c := range cases(stacks) {
			if keep(&c) {
				kept = append(kept, c)
			}
		}
		return kept
	}
	return s
}
