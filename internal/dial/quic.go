package dial

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"example.com/greet/internal/stack"
)

// quicTransport is an HTTP/3 transport on one UDP socket, which it opens with
// the first connection.
type quicTransport struct {
	http   *http3.Transport
	opened *atomic.Int64

	mu     sync.Mutex
	quic   *quic.Transport
	closed bool
}

func newQUIC(config *tls.Config, opened *atomic.Int64) *quicTransport {
	q := &quicTransport{opened: opened}
	q.http = &http3.Transport{
		TLSClientConfig:    config,
		DisableCompression: true,
		Dial:               q.dial,
		QUICConfig: &quic.Config{
			HandshakeIdleTimeout: dialTimeout,
			// A call may be silent for longer than QUIC's idle timeout of 30 s;
			// http3 has the same period unless it is given a configuration.
			KeepAlivePeriod: 10 * time.Second,
		},
	}
	return q
}

// tap is the transport that requests go through, shown to t unless that is nil.
func (q *quicTransport) tap(t *stack.Tap) http.RoundTripper {
	if t == nil {
		return q.http
	}
	q.http.QUICConfig.Tracer = t.QUIC
	return t.Bodies(q.http)
}

// dial opens and counts one connection, without 0-RTT: a replayed request would
// be a second call (RFC 8470).
func (q *quicTransport) dial(ctx context.Context, addr string, t *tls.Config, c *quic.Config) (*quic.Conn, error) {
	remote, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, err
	}
	local, err := q.socket()
	if err != nil {
		return nil, err
	}
	opened, err := local.Dial(ctx, remote, t, c)
	if err != nil {
		return nil, err
	}
	q.opened.Add(1)
	return opened, nil
}

func (q *quicTransport) socket() (*quic.Transport, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, fmt.Errorf("dial: %w", net.ErrClosed)
	}
	if q.quic == nil {
		udp, err := net.ListenUDP("udp", nil)
		if err != nil {
			return nil, fmt.Errorf("open UDP socket: %w", err)
		}
		q.quic = &quic.Transport{Conn: udp}
	}
	return q.quic, nil
}

// Close tells the server that the connections end, then ends those that http3
// has given up on already, then closes the socket.
func (q *quicTransport) Close() error {
	err := q.http.Close()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil
	}
	q.closed = true
	if q.quic == nil {
		return err
	}
	return errors.Join(err, q.quic.Close(), q.quic.Conn.Close())
}
