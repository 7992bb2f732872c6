package listen_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/greet/internal/dial"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var transports = []string{stack.H1, stack.H2C, stack.H2, stack.H3}

// running is a server that a test has started.
type running struct {
	addr   string
	config *tls.Config  // for clients that are to trust it
	stop   func() error // starts the drain and returns what ServeHTTP did
}

// start serves handler over everything: cleartext for h1 and h2c, else TLS and
// QUIC on one port number. It is stopped with the test if not before.
func start(t *testing.T, transport string, handler http.HandlerFunc, o listen.Options) running {
	t.Helper()
	return startOn(t, mustBind(t, "127.0.0.1:0", true), transport, handler, o)
}

func startOn(t *testing.T, s listen.Socket, transport string, handler http.HandlerFunc, o listen.Options) running {
	t.Helper()
	config := &tls.Config{InsecureSkipVerify: true}
	o.HTTP1, o.HTTP2 = true, true
	if transport == stack.H2 || transport == stack.H3 {
		cert, err := listen.SelfSigned()
		if err != nil {
			t.Fatal(err)
		}
		o.TLS, o.HTTP3 = listen.ServerTLS(cert), true
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- listen.ServeHTTP(ctx, s, handler, o) }()
	var result *error
	stop := func() error {
		cancel()
		if result == nil {
			err := <-served
			result = &err
		}
		return *result
	}
	t.Cleanup(func() { _ = stop() })
	return running{s.Addr(), config, stop}
}

// get makes one call and returns its body and the HTTP version that carried it.
func get(t *testing.T, c *dial.Client, addr string) (body, version string, err error) {
	t.Helper()
	res, err := c.HTTP.Get(c.URL(addr))
	if err != nil {
		return "", "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), res.Proto, err
}

// newClient makes a client and closes it with the test.
func newClient(t *testing.T, transport string, config *tls.Config) *dial.Client {
	t.Helper()
	c, err := dial.HTTP(transport, dial.Options{TLS: config})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestServeSpeaksEveryVersion(t *testing.T) {
	versions := map[string]string{stack.H1: "HTTP/1.1", stack.H2C: "HTTP/2.0", stack.H2: "HTTP/2.0", stack.H3: "HTTP/3.0"}
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			var accepted atomic.Int64
			socket := listen.Counted(mustBind(t, "127.0.0.1:0", true), &accepted)
			srv := startOn(t, socket, transport, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, "hello")
			}, listen.Options{})
			client := newClient(t, transport, srv.config)
			for range 3 {
				body, version, err := get(t, client, srv.addr)
				if err != nil || body != "hello" || version != versions[transport] {
					t.Fatalf("got %q over %s, error %v; want hello over %s", body, version, err, versions[transport])
				}
			}
			if got := accepted.Load(); got != 1 {
				t.Errorf("counted %d connections, want 1", got)
			}
			if err := srv.stop(); err != nil {
				t.Errorf("stop: %v", err)
			}
		})
	}
}

func TestDrainLetsCallsEnd(t *testing.T) {
	const inFlight = 9
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			begun, release := make(chan struct{}, inFlight), make(chan struct{})
			srv := start(t, transport, func(w http.ResponseWriter, _ *http.Request) {
				begun <- struct{}{}
				<-release
				_, _ = io.WriteString(w, "done")
			}, listen.Options{Drain: 10 * time.Second})
			client := newClient(t, transport, srv.config)
			ended := make(chan error, inFlight)
			for range inFlight {
				go func() {
					body, _, err := get(t, client, srv.addr)
					if err == nil && body != "done" {
						t.Errorf("got %q, want done", body)
					}
					ended <- err
				}()
			}
			for range inFlight {
				<-begun
			}
			stopped := make(chan error, 1)
			go func() { stopped <- srv.stop() }()
			waitRefused(t, srv.addr)
			select {
			case err := <-stopped:
				t.Fatalf("the drain ended with calls in flight: %v", err)
			case <-time.After(500 * time.Millisecond): // long enough for any grace but o.Drain
			}
			close(release)
			for range inFlight {
				if err := <-ended; err != nil {
					t.Errorf("a call in flight was cut: %v", err)
				}
			}
			if err := <-stopped; err != nil {
				t.Errorf("drain: %v", err)
			}
		})
	}
}

// waitRefused returns once the server takes no new connection, so that a test
// knows that the drain has begun.
func waitRefused(t *testing.T, addr string) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		_ = conn.Close()
	}
}
