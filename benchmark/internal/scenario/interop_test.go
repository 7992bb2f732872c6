package scenario

import (
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

func TestInterop(t *testing.T) {
	for _, s := range []stack.Stack{overGRPC(), overHTTP1()} {
		cases := Interop.Cases([]stack.Stack{s})
		if len(cases) != len(s.Modes()) {
			t.Errorf("%s: %d cases, want one for each of %v", s.Name, len(cases), s.Modes())
		}
		target := served(t, s)
		for _, c := range cases {
			line, err := Interop.Measure(t.Context(), target, c)
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
		for _, c := range Interop.Cases([]stack.Stack{overGRPC()}) {
			if c.Mode == string(tt.spares) {
				continue
			}
			line, err := Interop.Measure(t.Context(), target, c)
			line.Case = c
			if err != nil || line.Calls > 0 || line.FirstError == "" || !result.Disqualified(result.Judge(&line)) {
				t.Errorf("%s, %s: %d calls, first error %q, error %v; want a verdict", what, c.Mode, line.Calls, line.FirstError, err)
			}
		}
	}
}

// TestInteropByPeer wants a mode that the client refuses, though it is said to carry
// it, to be a failure.
func TestInteropByPeer(t *testing.T) {
	client := &answering{text: `{"error":"no such mode"}`}
	line, err := askedOf(t, ByPeer("tonic", Interop), client, func(c result.Case) bool { return c.Mode == string(greet.Bidi) })
	if err != nil || line.Errors[ClientFailed] != 1 || !strings.Contains(line.FirstError, "no such mode") {
		t.Errorf("error %v, errors %v, %q; want that the client refused", err, line.Errors, line.FirstError)
	}
	want := `{"mode":"bidi","concurrency":2,"connections":1,"payload_bytes":16,"messages":10,"calls":20,"warmup_calls":0,"window_ns":0,"deadline_ns":10000000000}`
	if client.asked != want {
		t.Errorf("asked %s, want %s", client.asked, want)
	}
}
