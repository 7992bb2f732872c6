package dial

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/greet/internal/h2http"
	"example.com/greet/internal/stack"
)

// dialTimeout bounds a TCP connect and a TLS handshake. The context of the call bounds them too;
// this is for calls without a deadline.
const dialTimeout = 5 * time.Second

// tcp is a net/http transport that keeps a list of its connections, so that it can also close those
// that net/http considers in use.
type tcp struct {
	http   *http.Transport
	opened *atomic.Int64
	tap    *stack.Tap      // nil for none
	ctx    context.Context // done once the transport is closed
	cancel context.CancelFunc

	mu   sync.Mutex
	open map[*conn]struct{}
}

func newTCP(transport string, o Options, opened *atomic.Int64) *tcp {
	t := &tcp{opened: opened, tap: o.Tap, open: make(map[*conn]struct{})}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.http = &http.Transport{
		DialContext:         t.dial,
		DisableCompression:  true,
		Protocols:           new(http.Protocols),
		TLSHandshakeTimeout: dialTimeout,
	}
	switch transport {
	case stack.H1:
		t.http.Protocols.SetHTTP1(true)
		t.http.MaxConnsPerHost = o.InFlight
		t.http.MaxIdleConnsPerHost = o.InFlight
		if o.InFlight == 0 {
			// net/http's default keeps two and would throw away the rest.
			t.http.MaxIdleConnsPerHost = math.MaxInt
		}
	case stack.H2C:
		t.http.Protocols.SetUnencryptedHTTP2(true)
		t.oneConnection(o)
	case stack.H2:
		t.http.Protocols.SetHTTP2(true)
		t.http.TLSClientConfig = onlyHTTP2(o.TLS)
		t.oneConnection(o)
	}
	return t
}

// oneConnection makes all requests share one HTTP/2 connection. By default
// net/http dials one for every request that comes before the first connection
// is up, and another whenever the server's limit on streams is reached; here a
// request waits instead, as it does with grpc-go and quic-go. Everything else
// about HTTP/2 stays as net/http has it, unless the options tune it.
func (t *tcp) oneConnection(o Options) {
	t.http.MaxConnsPerHost = 1
	t.http.HTTP2 = &http.HTTP2Config{StrictMaxConcurrentRequests: true}
	if o.TuneHTTP2 != nil {
		o.TuneHTTP2(t.http.HTTP2)
	}
	if o.FastHTTP2 {
		h2http.ConfigureTransport(t.http)
	}
}

// onlyHTTP2 refuses a server that does not choose h2 by ALPN. Otherwise net/http would silently
// speak HTTP/1.1 to it.
func onlyHTTP2(config *tls.Config) *tls.Config {
	config = config.Clone()
	config.NextProtos = []string{"h2"}
	verify := config.VerifyConnection
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if state.NegotiatedProtocol != "h2" {
			return errors.New("the server does not offer HTTP/2 on this port")
		}
		if verify != nil {
			return verify(state)
		}
		return nil
	}
	return config
}

// dial opens and counts one connection.
func (t *tcp) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// net/http lets a dial outlive its request, but it must not outlive the client.
	defer context.AfterFunc(t.ctx, cancel)()
	dialer := net.Dialer{Timeout: dialTimeout}
	opened, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if t.tap != nil {
		opened = t.tap.Conn(opened)
	}
	c := &conn{Conn: opened, owner: t}
	if err := t.keep(c); err != nil {
		opened.Close()
		return nil, err
	}
	t.opened.Add(1)
	return c, nil
}

func (t *tcp) keep(c *conn) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		return fmt.Errorf("dial: %w", net.ErrClosed)
	}
	t.open[c] = struct{}{}
	return nil
}

func (t *tcp) forget(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, c)
}

// Close closes every connection, idle or not.
func (t *tcp) Close() error {
	t.cancel()
	t.http.CloseIdleConnections()
	t.mu.Lock()
	open := t.open
	t.open = nil
	t.mu.Unlock()
	for c := range open {
		c.Conn.Close()
	}
	return nil
}

// conn tells its transport when it is closed.
type conn struct {
	net.Conn
	owner *tcp
}

func (c *conn) Close() error {
	c.owner.forget(c)
	return c.Conn.Close()
}
