package scenario

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// OwnName is the name of a caller that is the called stack's own client.
const OwnName = "own"

// Library is the caller that makes calls with a client of a Go library, in this
// process.
type Library struct {
	name string
	of   stack.Stack
}

// Own returns the caller that calls servers of the stack with its own client.
func Own(s stack.Stack) Library { return Library{OwnName, s} }

// By returns a caller, under the given name, that calls servers with the client of the stack. It
// suits any server with the same protocol and transport.
func By(name string, s stack.Stack) Library { return Library{name, s} }

// Name implements calls.Caller.
func (l Library) Name() string { return l.name }

// Language implements calls.Caller.
func (l Library) Language() string { return l.of.Language }

// Refuses implements calls.Caller.
func (l Library) Refuses(_ stack.Stack, m greet.Mode) string { return l.of.Refuses[m] }

// Process implements calls.Caller.
func (Library) Process(calls.Server) int { return os.Getpid() }

// Open implements calls.Caller. Over HTTP/1.1 one client has as many connections as it
// has calls in flight; elsewhere each client has one.
func (l Library) Open(s calls.Server, w calls.Work) (calls.Session, error) {
	n := 1
	if s.Stack.Name.Transport != stack.H1 {
		n = max(1, w.Connections)
	}
	clients, err := l.dial(s, n, w.Concurrency)
	if err != nil {
		return nil, err
	}
	return &librarySession{clients, w}, nil
}

// dial makes n clients for so many calls in flight together.
func (l Library) dial(s calls.Server, n, concurrency int) (clients, error) {
	var all clients
	for range n {
		client, err := l.of.Dial(s.Addr, stack.DialOptions{TLS: s.TLS, InFlight: max(1, concurrency/n)})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("dial %s at %s: %w", s.Stack.Name, s.Addr, err), all.Close())
		}
		all = append(all, client)
	}
	return all, nil
}

// dial makes n clients. Only a Library has clients to give.
func (s Setup) dial(n, concurrency int) (clients, error) {
	library, ok := s.Caller.(Library)
	if !ok {
		return nil, fmt.Errorf("dial %s: the client %s is no library in this process", s.Stack.Name, s.Caller.Name())
	}
	return library.dial(s.Server, n, concurrency)
}

// clients are clients of one server.
type clients []stack.Client

// Connections counts those of all clients.
func (c clients) Connections() (n int64) {
	for _, client := range c {
		n += client.Connections()
	}
	return n
}

// Close closes all clients.
func (c clients) Close() error {
	var errs []error
	for _, client := range c {
		errs = append(errs, client.Close())
	}
	return errors.Join(errs...)
}

// librarySession implements calls.Session.
type librarySession struct {
	clients
	work calls.Work
}

// Run implements calls.Session.
func (s *librarySession) Run(ctx context.Context, p load.Plan, r calls.Record) (load.Tally, error) {
	return calls.RunDriver(ctx, p, r, func(r calls.Record) load.Driver { return s.call(s.work, r) })
}

// call does the work over the clients. Each worker always uses the same one.
func (c clients) call(w calls.Work, r calls.Record) load.Call {
	each := make([][]load.Call, len(c)) // the variants of the work, for each client
	for _, variant := range w.Variants() {
		for i, client := range c {
			each[i] = append(each[i], callBy(client, variant, r))
		}
	}
	return func(ctx context.Context, worker int) load.Outcome {
		variants := each[worker%len(each)]
		return variants[rand.IntN(len(variants))](ctx, worker)
	}
}

// callBy does the work over one client.
func callBy(client stack.Client, w calls.Work, r calls.Record) load.Call {
	switch {
	case w.Refused:
		return refusedCall(client, w.Name())
	case w.Headers > 0:
		header := w.Header()
		w.Headers = 0
		return withHeader(header, callBy(client, w, r))
	}
	switch w.Mode {
	case greet.ServerStream:
		return streamCall(client, w.Name(), w.Messages, r)
	case greet.ClientStream:
		return countCall(client, w.Name(), w.Messages)
	case greet.Bidi:
		return chatOf(client, w, r)
	}
	return unaryCall(client, w.Name())
}

func chatOf(client stack.Client, w calls.Work, r calls.Record) load.Call {
	if w.InTurn {
		return pingPongCall(client, newScript(w.Names()), r.Trip)
	}
	return chatCall(client, newScript(w.Names()), r.InFlight)
}
