package floor

import (
	"context"
	"os"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/bare"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Caller has the floor's drivers call servers of any library, so that servers can be
// compared without the price of their clients.
type Caller struct{}

// Name implements calls.Caller.
func (Caller) Name() string { return Library }

// Language implements calls.Caller.
func (Caller) Language() string { return "go" }

// Process implements calls.Caller.
func (Caller) Process(calls.Server) int { return os.Getpid() }

// Refuses implements calls.Caller.
func (Caller) Refuses(s stack.Stack, m greet.Mode) string {
	n := s.Name
	http2 := n.Transport == stack.H2C && (n.Protocol == stack.GRPC || n.Protocol == stack.Connect)
	http1 := n.Transport == stack.H1 && n.Protocol == stack.Connect
	switch {
	case isBytes(n):
		return s.Refuses[m]
	case !http2 && !http1:
		return "it speaks gRPC and Connect over h2c, and Connect over h1, alone"
	case n.Has("json") || n.Has("gzip") || n.Has("get"):
		return "it has no codec but protobuf, no compression, and sends no GET"
	case http1 && m != greet.Unary:
		return "over h1 it makes unary calls alone"
	}
	return s.Refuses[m]
}

// isBytes reports whether the stack is the rung below the floor, which has a driver of
// its own: what the floor's is without HTTP/2 and gRPC.
func isBytes(n stack.Name) bool { return n.Protocol == stack.Bytes && n.Transport == stack.TCP }

// driver is a load.Driver with its connections to one server.
type driver interface {
	Recording(r calls.Record) load.Driver
	Connections() int64
	Close() error
}

// session implements calls.Session.
type session struct{ driver }

// Open implements calls.Caller.
func (Caller) Open(s calls.Server, w calls.Work) (calls.Session, error) {
	var d driver
	var err error
	switch n := s.Stack.Name; {
	case isBytes(n):
		d, err = bare.NewDriver(s.Addr, w)
	case n.Transport == stack.H1:
		d, err = NewConnectDriver(s.Addr, w)
	default:
		d, err = NewDriver(s.Addr, n.Protocol, w)
	}
	if err != nil {
		return nil, err
	}
	return session{d}, nil
}

// Run implements calls.Session.
func (s session) Run(ctx context.Context, p load.Plan, r calls.Record) (load.Tally, error) {
	return calls.RunDriver(ctx, p, r, s.Recording)
}
