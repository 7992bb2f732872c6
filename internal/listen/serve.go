package listen

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// ServeHTTP serves handler on the socket, with limits against bad peers, until ctx is done. Then it
// drains: it accepts no more connections, lets the calls in flight end, and returns nil. If o.Drain
// runs out first, it cuts the remaining calls and returns a *CutError.
//
// It leaves no goroutine behind, except for a handler that goes on after its context has ended. The
// caller closes the socket.
func ServeHTTP(ctx context.Context, s Socket, handler http.Handler, o Options) error {
	o, err := o.checked(s)
	if err != nil {
		return fmt.Errorf("serve HTTP on %s: %w", s.Addr(), err)
	}
	srv, err := newServer(s, handler, o)
	if err != nil {
		return fmt.Errorf("serve HTTP on %s: %w", s.Addr(), err)
	}
	select {
	case err = <-srv.start():
		srv.close()
		return fmt.Errorf("serve HTTP on %s: %w", s.Addr(), err)
	case <-ctx.Done():
		return srv.drain()
	}
}

// server is one handler served over both halves of a socket. Either half may be
// missing.
type server struct {
	options  Options
	calls    calls
	listener net.Listener // of tcp
	tcp      *http.Server
	quic     *quicServer
	serving  sync.WaitGroup
}

func newServer(s Socket, handler http.Handler, o Options) (*server, error) {
	srv := &server{options: o, listener: s.TCP}
	handler = srv.calls.counting(capped(handler, o.CallLimit))
	if o.HTTP3 {
		var err error
		if srv.quic, err = listenQUIC(s, handler, o); err != nil {
			return nil, err
		}
		handler = announcingHTTP3(handler, s.port())
	}
	if o.HTTP1 || o.HTTP2 {
		srv.tcp = newTCPServer(handler, o)
	}
	return srv, nil
}

// start serves on both halves. The channel delivers the first failure.
func (srv *server) start() <-chan error {
	failed := make(chan error, 2)
	if srv.tcp != nil {
		srv.serving.Go(func() { failed <- srv.serveTCP(srv.listener) })
	}
	if srv.quic != nil {
		srv.serving.Go(func() { failed <- srv.quic.serve() })
	}
	return failed
}

func (srv *server) serveTCP(l net.Listener) error {
	guarded := srv.options.HTTP2 && !srv.options.FastHTTP2 && !srv.options.Unguarded
	if srv.options.TLS == nil {
		if guarded {
			l = Guarded(l)
		}
		return srv.tcp.Serve(l)
	}
	if guarded {
		guardTLS(srv.tcp)
	}
	return srv.tcp.ServeTLS(l, "", "") // the certificate is in the configuration
}

// close ends everything at once. It waits for handlers, though no longer than
// closeGrace.
func (srv *server) close() {
	if srv.tcp != nil {
		_ = srv.tcp.Close() // its errors are about sockets that are gone anyway
	}
	if srv.quic != nil {
		srv.quic.close()
	}
	srv.serving.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	srv.calls.waitIdle(ctx, 1, 2, 3)
}
