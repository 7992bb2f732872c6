package h2http

import (
	"context"
	"crypto/tls"
	"log"
	"net"
	"net/http"
	"sync"

	"example.com/greet/internal/h2"
)

const (
	// defaultStreams is how many streams a client may have open where
	// http.Server.HTTP2 does not say.
	defaultStreams = 100
	// unencrypted is the key in http.Server.TLSNextProto by which net/http hands over a
	// connection without TLS on which it has read the preface of HTTP/2. It is how
	// golang.org/x/net/http2 is called as well.
	unencrypted = "unencrypted_http2"
)

// Configure has srv serve its HTTP/2 by this package, in place of net/http's. Whether it
// is spoken over TLS, without, or both, srv.Protocols says as ever. It must be called
// before srv serves.
//
// Of srv's settings it honours Handler, ErrorLog, IdleTimeout, and of HTTP2
// MaxConcurrentStreams, SendPingTimeout and PingTimeout.
func Configure(srv *http.Server) {
	s := &server{http: srv, conns: make(map[*h2.Conn]struct{})}
	if srv.TLSNextProto == nil {
		srv.TLSNextProto = make(map[string]func(*http.Server, *tls.Conn, http.Handler))
	}
	srv.TLSNextProto["h2"] = func(_ *http.Server, nc *tls.Conn, h http.Handler) {
		state := nc.ConnectionState()
		s.serve(nc, &state, h, false)
	}
	srv.TLSNextProto[unencrypted] = func(_ *http.Server, nc *tls.Conn, h http.Handler) {
		if inner, ok := nc.NetConn().(interface{ UnencryptedNetConn() net.Conn }); ok {
			s.serve(inner.UnencryptedNetConn(), nil, h, true)
		}
	}
	srv.RegisterOnShutdown(s.drain)
}

// server is what the connections of one http.Server share.
type server struct {
	http *http.Server

	mu       sync.Mutex
	conns    map[*h2.Conn]struct{}
	draining bool
}

// serve serves one connection until it ends. The handler is net/http's, in front of that
// of its server.
func (s *server) serve(nc net.Conn, state *tls.ConnectionState, h http.Handler, greeted bool) {
	c := &conn{server: s, handler: h, tls: state, remote: nc.RemoteAddr().String(), streams: s.streams(), context: baseContext(h)}
	c.h2 = h2.NewServer(nc, c, uint32(c.streams))
	if greeted {
		c.h2.SkipPreface()
	}
	s.add(c.h2)
	defer s.remove(c.h2)
	config := s.config()
	defer check(c.h2, s.http.IdleTimeout, config.SendPingTimeout, config.PingTimeout, c.workers.trim)()
	_ = c.h2.Run() // how it ended is not logged: peers could fill the log by that
}

// baseContext is the context that net/http has made for the connection. It is taken
// without its end, of which each call learns by its stream.
func baseContext(h http.Handler) context.Context {
	if based, ok := h.(interface{ BaseContext() context.Context }); ok {
		return context.WithoutCancel(based.BaseContext())
	}
	return context.Background()
}

func (s *server) config() http.HTTP2Config {
	if s.http.HTTP2 == nil {
		return http.HTTP2Config{}
	}
	return *s.http.HTTP2
}

func (s *server) streams() int {
	if n := s.config().MaxConcurrentStreams; n > 0 {
		return n
	}
	return defaultStreams
}

func (s *server) add(c *h2.Conn) {
	s.mu.Lock()
	s.conns[c] = struct{}{}
	draining := s.draining
	s.mu.Unlock()
	if draining {
		c.Do(c.Drain)
	}
}

func (s *server) remove(c *h2.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// drain has every connection end with its streams. http.Server.Shutdown waits for that.
func (s *server) drain() {
	s.mu.Lock()
	s.draining = true
	var open []*h2.Conn
	for c := range s.conns {
		open = append(open, c)
	}
	s.mu.Unlock()
	for _, c := range open {
		c.Do(c.Drain)
	}
}

func (s *server) logf(format string, args ...any) {
	if s.http.ErrorLog != nil {
		s.http.ErrorLog.Printf(format, args...)
		return
	}
	log.Printf(format, args...)
}
