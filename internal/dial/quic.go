package dial

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"example.com/greet/internal/stack"
)

// quicTransport is an HTTP/3 transport that keeps a list of its connections. Each has a UDP socket
// of its own.
type quicTransport struct {
	http   *http3.Transport
	opened *atomic.Int64

	mu      sync.Mutex
	sockets map[*quic.Transport]struct{} // nil once closed
}

func newQUIC(config *tls.Config, opened *atomic.Int64) *quicTransport {
	q := &quicTransport{opened: opened, sockets: make(map[*quic.Transport]struct{})}
	q.http = &http3.Transport{
		TLSClientConfig:    config,
		DisableCompression: true,
		Dial:               q.dial,
		QUICConfig: &quic.Config{
			HandshakeIdleTimeout: dialTimeout,
			// A call may be silent for longer than QUIC's idle timeout of 30 s. This is http3's
			// own period, which it drops when it is given a configuration.
			KeepAlivePeriod: 10 * time.Second,
		},
	}
	return q
}

// tap returns the transport for requests; t sees what it carries, unless t is nil.
func (q *quicTransport) tap(t *stack.Tap) http.RoundTripper {
	if t == nil {
		return q.http
	}
	q.http.QUICConfig.Tracer = t.QUIC
	return t.Bodies(q.http)
}

// dial opens and counts one connection, without 0-RTT: a replayed request would be
// a second call (RFC 8470).
func (q *quicTransport) dial(ctx context.Context, addr string, t *tls.Config, c *quic.Config) (*quic.Conn, error) {
	remotes, err := resolve(ctx, addr)
	if err != nil {
		return nil, err
	}
	return q.dialFirst(ctx, remotes, t, c)
}

// dialFirst tries the addresses in turn until one answers.
func (q *quicTransport) dialFirst(ctx context.Context, remotes []netip.AddrPort, t *tls.Config, c *quic.Config) (*quic.Conn, error) {
	var errs []error
	for _, remote := range remotes {
		opened, err := q.dialOne(ctx, remote, t, c)
		if err == nil {
			q.opened.Add(1)
			return opened, nil
		}
		errs = append(errs, fmt.Errorf("dial %s: %w", remote, err))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(errs...)
}

// resolve lists the addresses of addr, "host:port".
func resolve(ctx context.Context, addr string) ([]netip.AddrPort, error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", addr, err)
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("dial %s: port: %w", addr, err)
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.AddrPort{netip.AddrPortFrom(ip, uint16(port))}, nil
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", addr, err)
	}
	remotes := make([]netip.AddrPort, len(ips))
	for i, ip := range ips {
		remotes[i] = netip.AddrPortFrom(ip.Unmap(), uint16(port))
	}
	return remotes, nil
}

func (q *quicTransport) dialOne(ctx context.Context, remote netip.AddrPort, t *tls.Config, c *quic.Config) (*quic.Conn, error) {
	udp, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(remote))
	if err != nil {
		return nil, err
	}
	socket := &quic.Transport{Conn: connectedUDP{udp}}
	if err := q.keep(socket); err != nil {
		return nil, errors.Join(err, udp.Close())
	}
	opened, err := socket.Dial(ctx, udp.RemoteAddr(), t, c)
	if err != nil {
		q.forget(socket)
		return nil, err
	}
	context.AfterFunc(opened.Context(), func() { q.forget(socket) })
	return opened, nil
}

// connectedUDP is a UDP socket that sends to one address alone. Only such a socket is told by the
// system that nobody listens there; others find out when the handshake times out.
type connectedUDP struct{ *net.UDPConn }

// WriteTo writes to the one address.
func (c connectedUDP) WriteTo(b []byte, _ net.Addr) (int, error) { return c.Write(b) }

// WriteMsgUDP writes to the one address.
func (c connectedUDP) WriteMsgUDP(b, oob []byte, _ *net.UDPAddr) (n, oobn int, err error) {
	return c.UDPConn.WriteMsgUDP(b, oob, nil)
}

func (q *quicTransport) keep(socket *quic.Transport) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.sockets == nil {
		return fmt.Errorf("dial: %w", net.ErrClosed)
	}
	q.sockets[socket] = struct{}{}
	return nil
}

// forget closes a socket after its connection has ended.
func (q *quicTransport) forget(socket *quic.Transport) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.sockets[socket]; !ok {
		return // Close does it
	}
	delete(q.sockets, socket)
	_ = closeSocket(socket) // the connection has told its caller how it ended
}

func closeSocket(socket *quic.Transport) error {
	return errors.Join(socket.Close(), socket.Conn.Close())
}

// Close first tells the server that the connections end, then ends those that http3 has dropped
// already, then closes the sockets.
func (q *quicTransport) Close() error {
	err := q.http.Close()
	q.mu.Lock()
	sockets := q.sockets
	q.sockets = nil
	q.mu.Unlock()
	for socket := range sockets {
		err = errors.Join(err, closeSocket(socket))
	}
	return err
}
