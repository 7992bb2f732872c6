package contract

import (
	"context"
	"errors"
	"fmt"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// connections checks how many connections the calls of one client open.
func connections() []Behaviour {
	return []Behaviour{
		{Name: "many calls at once", Check: manyAtOnce},
		{Name: "a thousand streams in a row", Needs: []greet.Mode{greet.ServerStream}, Long: true, Check: manyInARow},
	}
}

// manyAtOnce makes more calls at once than the client was told to expect, in all modes.
func manyAtOnce(ctx context.Context, _ stack.Client, s Subject) error {
	const inFlight, callers, each = 4, 16, 8
	client, err := s.dial(inFlight)
	if err != nil {
		return err
	}
	defer client.Close()
	ended := make(chan error, callers)
	for caller := range callers {
		go func() { ended <- callInTurn(ctx, client, s.Stack.Modes(), caller, each) }()
	}
	var errs []error
	for range callers {
		errs = append(errs, <-ended)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if s.Stack.Name.Transport == stack.H1 {
		return wantConnections(client, inFlight+discarded)
	}
	return wantConnections(client, 1)
}

// discarded is how many HTTP/1.1 connections a client may replace in the course of a check.
// net/http does not reuse one whose writing goroutine has not said within 50 ms of the
// response's end that the request was written, as happens on a busy machine
// (maxWriteWaitBeforeConnReuse). A client that leaks connections opens many more.
const discarded = 8

// callInTurn makes n calls, each in another mode than the one before.
func callInTurn(ctx context.Context, client stack.Client, modes []greet.Mode, first, n int) error {
	for i := range n {
		m := modes[(first+i)%len(modes)]
		if err := call(ctx, client, m, fmt.Sprintf("caller %d", first)); err != nil {
			return fmt.Errorf("call %d of caller %d, %s: %w", i+1, first, m, err)
		}
	}
	return nil
}

// manyInARow reads each stream to its end, and so gives its connection back.
func manyInARow(ctx context.Context, client stack.Client, s Subject) error {
	for i := range 1000 {
		if err := numbered(ctx, client, "streamer", 2); err != nil {
			return fmt.Errorf("stream %d: %w", i+1, err)
		}
	}
	if s.Stack.Name.Transport == stack.H1 {
		return wantConnections(client, 1+discarded)
	}
	return wantConnections(client, 1)
}

// wantConnections accepts from one connection up to the given number.
func wantConnections(client stack.Client, most int64) error {
	got := client.Connections()
	switch {
	case got >= 1 && got <= most:
		return nil
	case most == 1:
		return fmt.Errorf("got %d connections, want 1", got)
	}
	return fmt.Errorf("got %d connections, want 1 to %d", got, most)
}
