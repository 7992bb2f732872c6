package run

import (
	"context"
	"testing"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/stack"
)

// patient is a client of a server that hangs until it is told to answer.
type patient struct {
	stack.Client
	answers *bool
}

func (p patient) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	if *p.answers {
		return &greetv1.GreetResponse{Greeting: "Hello, " + req.GetName() + "!"}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (patient) Connections() int64 { return 1 }
func (patient) Close() error       { return nil }

// dialled has the target's own client be what dial returns.
func dialled(t *plan.Target, dial func() (stack.Client, error)) {
	t.Stack.Dial = func(string, stack.DialOptions) (stack.Client, error) { return dial() }
	t.Client = scenario.Own(t.Stack)
}

// A server that hangs costs its slices a probe each, and is measured again as soon
// as it answers one.
func TestHangingServerIsProbedBeforeItIsMeasured(t *testing.T) {
	answers := false
	target := running(t, two[0])
	dialled(target, func() (stack.Client, error) { return patient{answers: &answers}, nil })
	measured := 0
	s := perStack("one")
	s.Measure = func(context.Context, scenario.Setup, result.Case) (result.Line, error) {
		if measured++; answers {
			return success(), nil
		}
		return result.Line{Errors: map[string]int64{ranOut: 64}}, nil
	}
	r, kept := newRun(t, []*plan.Target{target}, s)
	kept.after = func(n int) { answers = n >= 2 }
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if measured != 5 {
		t.Errorf("%d slices were measured of 6, want 5: all but the second", measured)
	}
	for i, l := range kept.lines {
		if failed := result.Disqualified(l.Verdicts); failed != (i < 2) {
			t.Errorf("line %d: %d calls, errors %v, verdicts %v", i+1, l.Calls, l.Errors, l.Verdicts)
		}
	}
	if probe := kept.lines[1]; len(probe.Errors) != 1 || probe.Opened != 1 || probe.FirstError == "" {
		t.Errorf("line of the probe: errors %v, first %q, %d connections", probe.Errors, probe.FirstError, probe.Opened)
	}
}
