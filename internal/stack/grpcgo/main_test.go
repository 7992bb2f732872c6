package grpcgo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server that a test may stop.
type running struct {
	addr string
	stop context.CancelFunc
	done <-chan error
}

// start runs serve on a socket of its own. The server is stopped when the test
// ends, if not before.
func start(t *testing.T, serve func(context.Context, listen.Socket) error) running {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		done <- serve(ctx, listen.Socket{TCP: l})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		l.Close()
	})
	return running{l.Addr().String(), stop, done}
}

// demo returns options with everything that a demo adds, logging to w.
func demo(w io.Writer, stopping <-chan struct{}) stack.ServeOptions {
	log := slog.New(slog.NewTextHandler(w, nil))
	return stack.ServeOptions{
		Drain: 2 * time.Second,
		Demo:  &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: stopping},
	}
}

// serveStack starts a stack's server and returns a client of it.
func serveStack(t *testing.T, transport string, o stack.ServeOptions) stack.Client {
	t.Helper()
	s, err := New(transport)
	if err != nil {
		t.Fatal(err)
	}
	var trust stack.DialOptions
	if s.Name.Secure() {
		o.TLS, trust.TLS = certificates(t)
	}
	r := start(t, func(ctx context.Context, socket listen.Socket) error { return s.Serve(ctx, socket, o) })
	c, err := s.Dial(r.addr, trust)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// forEach runs the test over each transport, on servers with and without a demo.
func forEach(t *testing.T, test func(t *testing.T, c stack.Client)) {
	for _, transport := range []string{stack.H2C, stack.H2} {
		t.Run(transport, func(t *testing.T) {
			test(t, serveStack(t, transport, stack.ServeOptions{Drain: time.Second}))
		})
		t.Run(transport+" demo", func(t *testing.T) {
			test(t, serveStack(t, transport, demo(io.Discard, nil)))
		})
	}
}

// plain returns the library's own client, without any of our limits.
func plain(t *testing.T, addr string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// soon bounds a test's calls: none of them takes long.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// certificates returns the two ends of a TLS connection that trust each other.
func certificates(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	cert, err := listen.SelfSigned("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert.Leaf)
	return listen.ServerTLS(cert), &tls.Config{RootCAs: roots}
}
