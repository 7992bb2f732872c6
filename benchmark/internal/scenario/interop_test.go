package scenario

import (
	"testing"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

func TestInterop(t *testing.T) {
	for _, s := range []stack.Stack{overGRPC(), overHTTP1()} {
		cases := interop.Cases([]stack.Stack{s})
		if len(cases) != len(s.Modes()) {
			t.Errorf("%s: %d cases, want one for each of %v", s.Name, len(cases), s.Modes())
		}
		target := served(t, s)
		for _, c := range cases {
			line, err := interop.Measure(t.Context(), target, c)
			if err != nil || line.Calls != 20 || len(line.Errors) > 0 || len(line.Metrics)+len(line.Histograms) > 0 {
				t.Errorf("%s: %d calls, errors %v (%s), error %v, %d metrics; want 20 calls and no figure",
					c.Key(), line.Calls, line.Errors, line.FirstError, err, len(line.Metrics))
			}
		}
	}
}

// TestInteropDoubts has servers of which each is wrong in one way.
func TestInteropDoubts(t *testing.T) {
	for what, tt := range map[string]struct {
		service faulty
		spares  greet.Mode
	}{
		"a refusal":     {faulty{before: refuse}, ""},
		"wrong texts":   {faulty{hello: misspell}, greet.ClientStream},
		"wrong numbers": {faulty{count: func(n int32) int32 { return min(n, 10) - 1 }}, greet.Unary},
	} {
		target := servedBy(t, tt.service)
		for _, c := range interop.Cases([]stack.Stack{overGRPC()}) {
			if c.Mode == string(tt.spares) {
				continue
			}
			line, err := interop.Measure(t.Context(), target, c)
			line.Case = c
			if err != nil || line.Calls > 0 || line.FirstError == "" || !result.Disqualified(result.Judge(&line)) {
				t.Errorf("%s, %s: %d calls, first error %q, error %v; want a verdict", what, c.Mode, line.Calls, line.FirstError, err)
			}
		}
	}
}
