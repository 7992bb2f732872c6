package hardening_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

const grpcLibrary = grpcgo.Library

// stacks are both libraries over every transport, and every protocol.
func stacks(t *testing.T) []stack.Stack {
	t.Helper()
	overH2C, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	return []stack.Stack{
		connectgo.New(stack.Connect, stack.H1, "proto"),
		connectgo.New(stack.Connect, stack.H2C, "proto"),
		connectgo.New(stack.GRPC, stack.H2C, "proto"),
		connectgo.New(stack.GRPCWeb, stack.H1, "proto"),
		connectgo.New(stack.Connect, stack.H2, "proto"),
		connectgo.New(stack.Connect, stack.H3, "proto"),
		connectgo.New(stack.GRPC, stack.H3, "proto"),
		fastStacks(t)[0],
		fastStacks(t)[1],
		overH2C,
	}
}

// fastStacks are those of package h2http, over h2c and over TLS.
func fastStacks(t *testing.T) []stack.Stack {
	t.Helper()
	var found []stack.Stack
	for _, s := range connectgo.Fast() {
		if s.Name.Protocol == stack.GRPC && s.Name.Transport == stack.H2C || s.Name.Secure() {
			found = append(found, s)
		}
	}
	if len(found) != 2 {
		t.Fatalf("found %v, want one over h2c and one over TLS", found)
	}
	return found
}

// forEachStack runs the test once per stack, one after another: most count what
// the whole process holds.
func forEachStack(t *testing.T, test func(t *testing.T, s stack.Stack)) {
	for _, s := range stacks(t) {
		t.Run(s.Name.String(), func(t *testing.T) { test(t, s) })
	}
}

// served is a rude service on the constructors of a stack's server.
type served struct {
	addr  string
	trust *tls.Config
	read  *atomic.Int64 // bytes that the server has read, over TCP
}

// serveRude serves r as the stack's server would greet.v1, with a demo, until the
// test ends.
func serveRude(t *testing.T, s stack.Stack, r *rude, o stack.ServeOptions) served {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", s.Name.Transport != stack.H3, s.Name.Transport == stack.H3)
	if err != nil {
		t.Fatal(err)
	}
	read := new(atomic.Int64)
	if socket.TCP != nil {
		socket.TCP = meteredListener{socket.TCP, read}
	}
	var trust *tls.Config
	o.TLS, trust = certified(t)
	log := slog.New(slog.DiscardHandler)
	o.Demo = &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serveOn(ctx, s.Name, socket, r, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil && !isCut(err) {
			t.Errorf("serve %s: %v", s.Name, err)
		}
		_ = socket.Close()
	})
	return served{socket.Addr(), trust, read}
}

func isCut(err error) bool {
	_, ok := errors.AsType[*listen.CutError](err)
	return ok
}

func serveOn(ctx context.Context, n stack.Name, socket listen.Socket, r *rude, o stack.ServeOptions) error {
	if n.Library == grpcLibrary {
		o.TLS = nil
		return grpcgo.NewServerOf(grpcRude{rude: r}, o).Run(ctx, socket)
	}
	return listen.ServeHTTP(ctx, socket, connectgo.NewHandlerOf(connectRude{r}, o), n.HTTP(o))
}

// certified makes both ends' settings around one certificate.
func certified(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert.Leaf)
	return listen.ServerTLS(cert), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// meteredListener counts what its connections read.
type meteredListener struct {
	net.Listener
	read *atomic.Int64
}

func (l meteredListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return meteredConn{conn, l.read}, nil
}

type meteredConn struct {
	net.Conn
	read *atomic.Int64
}

func (c meteredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// client dials the server and closes the client with the test.
func (s served) client(t *testing.T, of stack.Stack) stack.Client {
	t.Helper()
	return dialStack(t, of, s.addr, s.trust)
}

func dialStack(t *testing.T, s stack.Stack, addr string, trust *tls.Config) stack.Client {
	t.Helper()
	c, err := s.Dial(addr, stack.DialOptions{TLS: trust})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// makeCall makes one call in the mode, sends one request and no more, and waits
// for the end: nil if it was a clean one.
func makeCall(ctx context.Context, c stack.Client, m greet.Mode) error {
	switch m {
	case greet.Unary:
		_, err := c.Greet(ctx, &greetv1.GreetRequest{Name: "x"})
		return err
	case greet.ServerStream:
		stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: "x", Count: 3})
		if err != nil {
			return err
		}
		defer stream.Close()
		return toEnd(stream.Receive)
	case greet.ClientStream:
		stream, err := c.GreetCount(ctx)
		if err != nil {
			return err
		}
		_ = stream.Send(&greetv1.GreetCountRequest{Name: "x"}) // how it ended is said below
		_, err = stream.CloseAndReceive()
		return err
	}
	chat, err := c.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	_ = chat.Send(&greetv1.GreetChatRequest{Name: "x"})
	_ = chat.CloseSend()
	return toEnd(chat.Receive)
}

// toEnd receives until the end: nil if it is a clean one.
func toEnd[T any](receive func() (T, error)) error {
	for {
		if _, err := receive(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}
