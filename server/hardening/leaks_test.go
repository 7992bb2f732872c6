package hardening_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// leakCalls is how many calls of each kind are made over each of five stacks:
// 5,000 of each kind, 15,000 in all. Ten times as many would take minutes on two
// processors and show little more: with these, a goroutine left by one call in
// 170 already fails the test. The race detector, which makes them several times
// slower, gets fewer.
func leakCalls() int {
	if raceDetector {
		return 500
	}
	return 1_000
}

// TestLeaks makes calls that end badly, in the process that also serves them, and
// compares what the process holds before and after.
func TestLeaks(t *testing.T) {
	for _, s := range append(drainedStacks(t), fastStacks(t)...) {
		for name, kind := range map[string]badEnd{
			"cancelled": cancelledCall, "expired": expiredCall, "half open": halfOpenCall,
		} {
			t.Run(s.Name.String()+" "+name, func(t *testing.T) {
				r := &rude{handle: attend}
				srv := serveRude(t, s, r, stack.ServeOptions{})
				endBadly(t, srv, s, kind, 200) // what any number of calls needs
				goroutines, held := settled(t)
				endBadly(t, srv, s, kind, leakCalls())
				eventually(t, 5*time.Second+slack, "no more goroutines than before, within 5", func() bool {
					return runtime.NumGoroutine() <= goroutines+5
				})
				if _, now := settled(t); !raceDetector && now > held+8*mebi {
					t.Errorf("the process grew from %d to %d bytes, want it flat", held, now)
				}
				if r.most.Load() == 0 {
					t.Error("no call reached a handler")
				}
			})
		}
	}
}

// badEnd makes one call that ends badly, the i-th of its client.
type badEnd func(ctx context.Context, c stack.Client, s stack.Stack, i int) error

// endBadly makes the calls, on a new client for every few: what is half open
// holds a stream until its connection goes.
func endBadly(t *testing.T, srv served, s stack.Stack, end badEnd, calls int) {
	t.Helper()
	const (
		perClient = 50
		together  = 10
	)
	for range calls / perClient {
		client, err := s.Dial(srv.addr, stack.DialOptions{TLS: srv.trust})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		for caller := range together {
			callers.Go(func() {
				for i := range perClient / together {
					if err := end(ctx, client, s, caller+i*together); err != nil {
						t.Error(err)
					}
				}
			})
		}
		callers.Wait()
		_ = client.Close() // with calls half open, which is the point
		cancel()
	}
}

// cancelledCall cancels a call, at once or a moment after it has begun.
func cancelledCall(ctx context.Context, c stack.Client, s stack.Stack, i int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(time.Duration(i%4)*time.Millisecond, cancel)
	defer timer.Stop()
	return wantCode(makeCall(ctx, c, modeOf(s, i)), greet.CodeCanceled)
}

// expiredCall has a deadline of a few milliseconds.
func expiredCall(ctx context.Context, c stack.Client, s stack.Stack, i int) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(1+i%4)*time.Millisecond)
	defer cancel()
	return wantCode(makeCall(ctx, c, modeOf(s, i)), greet.CodeDeadlineExceeded)
}

// halfOpenCall sends one message of a stream and neither ends it nor reads.
func halfOpenCall(ctx context.Context, c stack.Client, _ stack.Stack, _ int) error {
	stream, err := c.GreetCount(ctx)
	if err != nil {
		return err
	}
	return stream.Send(&greetv1.GreetCountRequest{Name: "x"})
}

// modeOf is the i-th mode of those that the stack carries, over and over.
func modeOf(s stack.Stack, i int) greet.Mode { return s.Modes()[i%len(s.Modes())] }

func wantCode(err error, want greet.Code) error {
	if got := greet.CodeOf(err); got != want {
		return fmt.Errorf("got %w, want code %v", err, want)
	}
	return nil
}

// settled waits until the number of goroutines no longer falls, and returns it
// with the memory that the process holds, garbage apart.
func settled(t *testing.T) (goroutines int, held int64) {
	t.Helper()
	const steady = 100 * time.Millisecond
	goroutines = runtime.NumGoroutine()
	for since := time.Now(); time.Since(since) < steady; time.Sleep(10 * time.Millisecond) {
		if now := runtime.NumGoroutine(); now < goroutines {
			goroutines, since = now, time.Now()
		}
	}
	debug.FreeOSMemory()
	p, err := procfs.Self()
	if err != nil {
		t.Fatal(err)
	}
	status, err := p.NewStatus()
	if err != nil {
		t.Fatal(err)
	}
	return goroutines, int64(status.VmRSS)
}
