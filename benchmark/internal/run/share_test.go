package run

import (
	"context"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/grpcgo"
)

// waking is a server that is slow until it is told otherwise.
type waking struct {
	greetv1.UnimplementedGreetServiceServer
	awake atomic.Bool
}

func (w *waking) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	if !w.awake.Load() {
		time.Sleep(100 * time.Millisecond)
	}
	return &greetv1.GreetResponse{Greeting: greet.Hello(req.GetName())}, nil
}

// wakes is a recorder that wakes the server as soon as its capacity has been measured.
type wakes struct {
	*recorder
	server *waking
}

func (w wakes) Begin(at At, c result.Case) {
	w.server.awake.Store(true)
	w.recorder.Begin(at, c)
}

// served is a target that the server answers in this process.
func served(t *testing.T, server greetv1.GreetServiceServer) *plan.Target {
	t.Helper()
	called, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	greetv1.RegisterGreetServiceServer(s, server)
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return &plan.Target{Stack: called, Client: scenario.Own(called), Addr: l.Addr().String()}
}

// only is a scenario with those of its cases that keep keeps.
func only(t *testing.T, name string, keep func(result.Case) bool) scenario.Scenario {
	t.Helper()
	named, err := scenario.Named([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	s := named[0]
	cases := s.Cases
	s.Cases = func(stacks []stack.Stack) []result.Case {
		return slices.DeleteFunc(cases(stacks), func(c result.Case) bool { return !keep(c) })
	}
	return s
}

// TestCapacityThatWasMeasuredWronglyIsSeen calls a real server that is slow while its capacity is
// measured: 64 calls in flight that take 100 ms each are no more than 640 a second.
func TestCapacityThatWasMeasuredWronglyIsSeen(t *testing.T) {
	server := new(waking)
	r, kept := newRun(t, []*plan.Target{served(t, server)}, only(t, "unary", func(c result.Case) bool {
		return c.Concurrency == 64 && c.Payload == 16
	}), only(t, "open", func(c result.Case) bool { return c.Load == 0.9 }))
	r.Rounds, r.Progress = 6, wakes{kept, server}
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := result.Summarize(kept.lines)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d cases, %v, want 2", len(all), err)
	}
	for _, s := range all {
		t.Logf("%s at %.0f arrivals/s: verdicts %v, share %+v", s.Case.Scenario, s.Case.Rate, s.Verdicts, s.Share)
		if got := slices.Contains(s.Verdicts, result.LoadDiffers); got != (s.Case.Scenario == "open") || s.Disqualified() {
			t.Errorf("%s: verdicts %v", s.Case.Scenario, s.Verdicts)
		}
	}
	open := all[0]
	did, _ := all[1].Metric("rate")
	if open.Case.Rate > 0.9*640 || open.Share == nil || open.Share.High > 0.8 {
		t.Errorf("%.0f arrivals/s are %+v of %.0f, want less than they were meant to be", open.Case.Rate, open.Share, did.Median)
	}
}
