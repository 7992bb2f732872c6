package h2http

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"

	"example.com/greet/internal/h2"
)

// ConfigureTransport has t speak HTTP/2 by this package, in place of net/http's. Whether
// it is spoken over TLS, without, or both, t.Protocols says as ever; over TLS,
// t.TLSClientConfig must offer "h2" among its NextProtos. It must be called before t is
// used. t dials connections, and this package uses them, one for each address.
//
// Of t's settings it honours IdleConnTimeout, and of HTTP2 SendPingTimeout and
// PingTimeout.
func ConfigureTransport(t *http.Transport) {
	p := &pool{transport: t, conns: make(map[origin]*clientConn)}
	t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{
		"h2": func(addr string, nc *tls.Conn) http.RoundTripper {
			state := nc.ConnectionState()
			return p.add(origin{"https", addr}, nc, &state)
		},
		unencrypted: func(addr string, nc *tls.Conn) http.RoundTripper {
			inner, ok := nc.NetConn().(interface{ UnencryptedNetConn() net.Conn })
			if !ok {
				return broken{}
			}
			return p.add(origin{"http", addr}, inner.UnencryptedNetConn(), nil)
		},
	}
	t.RegisterProtocol("http", first{p})
	t.RegisterProtocol("https", first{p})
}

// broken is what net/http gets for a connection of a kind that this package does not
// know.
type broken struct{}

func (broken) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("use connection: net/http does not hand it over as it did")
}

// origin is what a connection is for.
type origin struct{ scheme, addr string }

func originOf(u *url.URL) origin {
	if u.Port() != "" {
		return origin{u.Scheme, u.Host}
	}
	port := "80"
	if u.Scheme == "https" {
		port = "443"
	}
	return origin{u.Scheme, net.JoinHostPort(u.Hostname(), port)}
}

// pool is the connections of one http.Transport.
type pool struct {
	transport *http.Transport

	mu    sync.Mutex
	conns map[origin]*clientConn
}

// first is asked for each request before net/http looks for a connection itself, which
// takes longer. net/http's Transport finds CloseIdleConnections in the only field of a
// struct, which is how golang.org/x/net/http2 tells of its own.
type first struct{ Pool *pool }

// RoundTrip makes the request on a connection that is there. If there is none, or the
// server has not begun to serve the request, net/http is to find another.
func (f first) RoundTrip(req *http.Request) (*http.Response, error) {
	c := f.Pool.get(originOf(req.URL))
	if c == nil {
		return nil, http.ErrSkipAltProtocol
	}
	res, err := c.RoundTrip(req)
	if err == nil {
		return res, nil
	}
	_, unusable := errors.AsType[*unusableError](err)
	if unusable || refused(err) && (!hasBody(req) || req.GetBody != nil) {
		return nil, http.ErrSkipAltProtocol
	}
	return nil, err
}

// refused reports whether the server has not begun to serve the request (RFC 9113,
// section 8.7).
func refused(err error) bool {
	reset, ok := errors.AsType[*StreamError](err)
	return ok && reset.End.By == h2.Refused
}

func (p *pool) get(o origin) *clientConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns[o]
}

// add takes a connection that net/http has dialled.
func (p *pool) add(o origin, nc net.Conn, state *tls.ConnectionState) *clientConn {
	c := &clientConn{tls: state}
	c.leave = func() { p.remove(o, c) }
	c.h2 = h2.NewClient(nc, c)
	p.mu.Lock()
	p.conns[o] = c
	p.mu.Unlock()
	var config http.HTTP2Config
	if p.transport.HTTP2 != nil {
		config = *p.transport.HTTP2
	}
	stop := check(c.h2, p.transport.IdleConnTimeout, config.SendPingTimeout, config.PingTimeout, func() {})
	go func() {
		defer stop()
		_ = c.h2.Run() // requests learn how it ended
	}()
	return c
}

func (p *pool) remove(o origin, c *clientConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns[o] == c {
		delete(p.conns, o)
	}
}

// CloseIdleConnections ends connections that carry no request.
func (p *pool) CloseIdleConnections() {
	p.mu.Lock()
	var all []*clientConn
	for _, c := range p.conns {
		all = append(all, c)
	}
	p.mu.Unlock()
	for _, c := range all {
		c.h2.Do(func() {
			if c.h2.Streams() == 0 && len(c.waiting) == 0 {
				c.h2.Drain()
			}
		})
	}
}
