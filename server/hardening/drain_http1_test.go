package hardening_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// TestDrainLosesNoCallOverHTTP1 stops the built server under clients that make one
// call after another, each on a connection of its own. HTTP/1.1 has nothing like
// GOAWAY, and a connection that the server closes between two calls can lose the
// second. A call that finds nobody listening is not lost: it was never sent.
func TestDrainLosesNoCallOverHTTP1(t *testing.T) {
	t.Parallel()
	const clients = 128
	server := startServer(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var lost atomic.Int64
	var calling, begun sync.WaitGroup
	begun.Add(clients)
	for range clients {
		client := server.client(t, connectgo.New(stack.Connect, stack.H1, "proto"))
		calling.Go(func() {
			if err := callUntilRefused(ctx, client, begun.Done); err != nil {
				lost.Add(1)
				t.Logf("lost: %v", err)
			}
		})
	}
	begun.Wait()
	server.signal(t, syscall.SIGTERM)
	calling.Wait()
	if lost.Load() > 0 {
		t.Errorf("%d of %d clients lost a call", lost.Load(), clients)
	}
	if err := server.wantExit(t, patience); err != nil {
		t.Errorf("exit: %v, want code 0", err)
	}
}

// callUntilRefused makes calls until nobody listens, with pauses in which the
// connection is idle. It returns how a call failed otherwise, and calls first after
// the first.
func callUntilRefused(ctx context.Context, c stack.Client, first func()) error {
	var once sync.Once
	for {
		err := makeCall(ctx, c, greet.Unary)
		once.Do(first)
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			return nil
		case err != nil:
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}
