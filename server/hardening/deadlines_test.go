package hardening_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// TestDeadlines makes 1,000 calls with 50 ms each against handlers that sleep
// until they are told to stop. Every one must end as what it is: a deadline that
// passed, and not a cancellation, although both ends cancel things on its way.
func TestDeadlines(t *testing.T) {
	const (
		calls    = 1_000
		together = 50
		deadline = 50 * time.Millisecond
	)
	forEachStack(t, func(t *testing.T, s stack.Stack) {
		t.Parallel()
		r := &rude{handle: sleep}
		client := serveRude(t, s, r, stack.ServeOptions{}).client(t, s)
		var callers sync.WaitGroup
		for caller := range together {
			callers.Go(func() {
				for i := range calls / together {
					m := s.Modes()[(caller+i)%len(s.Modes())]
					ctx, cancel := context.WithTimeout(t.Context(), deadline)
					err := makeCall(ctx, client, m)
					cancel()
					if greet.CodeOf(err) != greet.CodeDeadlineExceeded {
						t.Errorf("%s: got %v, want code deadline_exceeded", m, err)
					}
				}
			})
		}
		callers.Wait()
		// The figure is 100 ms.
		eventually(t, 100*time.Millisecond+slack, "no handler is live", func() bool { return r.live.Load() == 0 })
		if r.most.Load() == 0 {
			t.Error("no call reached a handler")
		}
	})
}

// TestDeadlineOfASender has clients of HTTP/1.1 that send until their deadline. The
// server, which knows it too, hangs up on what they still send, and a reset connection
// must not read as a server that is gone: its client would try again.
func TestDeadlineOfASender(t *testing.T) {
	t.Parallel()
	const callers, calls = 8, 250
	server := startServer(t)
	var calling sync.WaitGroup
	for range callers {
		client := server.client(t, connectgo.New(stack.Connect, stack.H1, "proto"))
		calling.Go(func() {
			for range calls {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
				if err := wantCode(sendUntilDone(ctx, client), greet.CodeDeadlineExceeded); err != nil {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	calling.Wait()
}
