package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/stack"
)

func TestTargetsAreCalledBeforeARun(t *testing.T) {
	answers := true
	good, bad := running(t, two[0]), running(t, two[1])
	dialled(good, func() (stack.Client, error) { return patient{answers: &answers}, nil })
	dialled(bad, func() (stack.Client, error) { return nil, errors.New("nobody is there") })
	ours, _ := startable(t, "grpc-go/grpc/h2c")
	for _, test := range []struct {
		name    string
		targets []*plan.Target
		want    []string // parts of the error
	}{
		{"one that answers, and a server of ours that does not run yet", []*plan.Target{good, ours}, nil},
		{"one that does not", []*plan.Target{good, bad}, []string{two[1], bad.Addr, "nobody is there"}},
	} {
		r, _ := newRun(t, test.targets, perStack("one"))
		err := r.CheckTargets(t.Context())
		if (err == nil) != (test.want == nil) {
			t.Errorf("%s: error %v", test.name, err)
		}
		for _, want := range test.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want one with %q", test.name, err, want)
			}
		}
	}
}

func TestTargetsAreNotAwaitedAfterAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	target := running(t, two[0])
	dialled(target, func() (stack.Client, error) { return patient{answers: new(false)}, nil })
	r, _ := newRun(t, []*plan.Target{target}, perStack("one"))
	if err := r.CheckTargets(ctx); !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v, want ErrInterrupted", err)
	}
}

func TestServerThatDiedIsSaidOnce(t *testing.T) {
	target, pidFile := startable(t, two[0])
	var once sync.Once // the id may be another's later
	s := perStack("one")
	s.Measure = func(_ context.Context, at scenario.Setup, _ result.Case) (result.Line, error) {
		once.Do(func() { kill(t, pidFile) })
		<-at.Meter.(meter).server.process.Exited()
		return result.Line{Errors: map[string]int64{"unavailable": 1}}, nil
	}
	r, kept := newRun(t, []*plan.Target{target}, s)
	var log bytes.Buffer
	r.ServerLog = &log
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "server " + two[0] + " has exited: signal: killed; its slices fail from here\n"; log.String() != want {
		t.Errorf("said %q, want %q", log.String(), want)
	}
	if len(kept.lines) != 6 {
		t.Errorf("%d lines, want 6: the run goes on", len(kept.lines))
	}
}

// kill kills the process whose id is in the file.
func kill(t *testing.T, pidFile string) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
}
