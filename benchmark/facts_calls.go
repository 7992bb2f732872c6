package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/stack/catalog"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// The small unary calls that each end makes before it is examined.
const (
	factsInFlight = 64
	factsCalls    = 10 * factsInFlight
	factsPayload  = 16
	factsDeadline = 30 * time.Second
	factsLook     = 10 * time.Millisecond // from one to the next
)

// clientCalls lets a client call the server at addr often, and returns the client's footprint.
type clientCalls func(ctx context.Context, addr string) (footprint, error)

// clientOf returns the client of the target's stack and the server that it calls. It is nil if
// there is none.
func clientOf(t *plan.Target, log io.Writer) (clientCalls, *plan.Target, error) {
	switch {
	case t.Stack.Serve != nil:
		return ourCalls(t.Stack), t, nil
	case t.Bench == nil:
		return nil, nil, nil
	}
	reference, err := catalog.Find(plan.Reference(t.Stack.Name))
	if err != nil {
		return nil, nil, err
	}
	servers, err := plan.Ours([]stack.Stack{reference})
	if err != nil {
		return nil, nil, err
	}
	return peerCalls(t.Stack, t.Bench, log), servers[0], nil
}

// ourCalls measures this program, without the servers that it has started.
func ourCalls(s stack.Stack) clientCalls {
	return func(ctx context.Context, addr string) (f footprint, err error) {
		client, err := callOften(ctx, s, addr)
		if err != nil {
			return f, err
		}
		defer client.Close()
		return f, f.add(os.Getpid())
	}
}

// callOften leaves the client open, with its connections.
func callOften(ctx context.Context, s stack.Stack, addr string) (stack.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, factsDeadline)
	defer cancel()
	client, err := s.Dial(addr, stack.DialOptions{InFlight: factsInFlight})
	if err != nil {
		return nil, err
	}
	errs := make([]error, factsInFlight)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			for range factsCalls / factsInFlight {
				if _, errs[i] = client.Greet(ctx, &greetv1.GreetRequest{Name: "facts"}); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		client.Close()
		return nil, fmt.Errorf("call %s: %w", s.Name, err)
	}
	return client, nil
}

// peerCalls asks a peer's benchmark client, as docs/peer-protocol.md says.
func peerCalls(s stack.Stack, client *peer.Client, log io.Writer) clientCalls {
	return func(ctx context.Context, addr string) (f footprint, err error) {
		n, server := s.Name, calls.Server{Stack: s, Addr: addr, Log: log}
		defer func() { err = errors.Join(err, client.Close()) }()
		connections := 1
		if n.Transport == stack.H1 {
			connections = factsInFlight
		}
		request := map[string]any{
			"mode": greet.Unary, "concurrency": factsInFlight, "connections": connections, "payload_bytes": factsPayload,
			"messages": 1, "calls": factsCalls, "warmup_calls": 0, "window_ns": 0, "deadline_ns": factsDeadline.Nanoseconds(),
		}
		var reply struct {
			Calls      int
			Error      string
			FirstError string `json:"first_error"`
		}
		answered := make(chan error, 1)
		go func() { answered <- client.Ask(ctx, server, request, &reply, 2*factsDeadline) }()
		if f, err = peakOf(client.Process(server), answered); err != nil {
			return f, err
		}
		if reply.Calls != factsCalls {
			return f, fmt.Errorf("client of %s: %d of %d calls succeeded: %s%s", n, reply.Calls, factsCalls, reply.Error, reply.FirstError)
		}
		return f, nil
	}
}

// peakOf returns the largest footprint of the process until the request is answered. Afterwards its
// connections are closed, and with them some of its threads.
func peakOf(pid int, answered <-chan error) (most footprint, _ error) {
	looks := time.NewTicker(factsLook)
	defer looks.Stop()
	for {
		now, unseen := footprintOf(pid)
		most = most.max(now)
		select {
		case err := <-answered:
			if most.processes == 0 {
				err = errors.Join(err, unseen)
			}
			return most, err
		case <-looks.C:
		}
	}
}
