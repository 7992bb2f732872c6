package catalog

import (
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// metered counts the bytes of all connections that its listener accepts.
type metered struct {
	net.Listener
	read, written atomic.Int64
}

func (m *metered) Accept() (net.Conn, error) {
	conn, err := m.Listener.Accept()
	return meteredConn{conn, m}, err
}

type meteredConn struct {
	net.Conn
	*metered
}

func (c meteredConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

func (c meteredConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.written.Add(int64(n))
	return n, err
}

func (c meteredConn) Close() error   { return c.Conn.Close() }
func (c meteredConn) Addr() net.Addr { return c.LocalAddr() }

// TestOnlyGzipStacksCompress calls with what gzip makes next to nothing of, and
// counts the bytes both ways.
func TestOnlyGzipStacksCompress(t *testing.T) {
	const size = 256 << 10
	for _, s := range All() {
		if s.Name.Secure() {
			continue // one stack over TLS has what the same stack over h2c has
		}
		t.Run(s.Name.String(), func(t *testing.T) {
			wire, client := serve(t, s)
			name := strings.Repeat("x", size)
			res, err := client.Greet(t.Context(), &greetv1.GreetRequest{Name: name})
			if err != nil || res.GetGreeting() != greet.Hello(name) {
				t.Fatalf("got %d bytes, error %v", len(res.GetGreeting()), err)
			}
			for way, n := range map[string]int64{"request": wire.read.Load(), "response": wire.written.Load()} {
				if compressed := n < size/10; compressed != s.Name.Has("gzip") {
					t.Errorf("%s took %d bytes for a message of %d", way, n, size)
				}
			}
		})
	}
}

func serve(t *testing.T, s stack.Stack) (*metered, stack.Client) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	wire := &metered{Listener: listener}
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := s.Serve(ctx, listen.Socket{TCP: wire}, stack.ServeOptions{Drain: time.Second}); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	client, err := s.Dial(listener.Addr().String(), stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		stop()
		serving.Wait()
		listener.Close()
	})
	return wire, client
}
