package listen

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// quicServer serves HTTP/3 on the UDP half of a socket. It makes the transports itself rather than
// leave them to http3, so that closing them ends their goroutines at once.
type quicServer struct {
	http       *http3.Server
	transports []*quic.Transport
	listeners  []*quic.EarlyListener
	accepting  sync.WaitGroup
}

func listenQUIC(s Socket, handler http.Handler, o Options) (*quicServer, error) {
	q := &quicServer{http: newHTTP3Server(handler, o)}
	q.http.ConnContext = func(ctx context.Context, _ *quic.Conn) context.Context {
		if s.accepted != nil {
			s.accepted.Add(1)
		}
		return ctx
	}
	for _, conn := range s.packetConns() {
		transport := &quic.Transport{Conn: conn}
		q.transports = append(q.transports, transport)
		l, err := transport.ListenEarly(quicTLS(o.TLS), quicLimits(o.Streams))
		if err != nil {
			q.close()
			return nil, fmt.Errorf("listen for QUIC: %w", err)
		}
		q.listeners = append(q.listeners, l)
	}
	return q, nil
}

// serve accepts connections until the listeners are closed.
func (q *quicServer) serve() error {
	failed := make(chan error, len(q.listeners))
	for _, l := range q.listeners {
		q.accepting.Go(func() { failed <- q.http.ServeListener(l) })
	}
	q.accepting.Wait()
	return <-failed
}

// stopAccepting returns when no more connections can come. http3.Server must not be shut down
// before: it counts its connections, and closes a channel twice if it accepts one while it shuts
// down.
func (q *quicServer) stopAccepting() {
	for _, l := range q.listeners {
		_ = l.Close()
	}
	q.accepting.Wait()
}

// drain tells the peers to make no more calls, and returns when none is in
// flight or ctx is done.
func (q *quicServer) drain(ctx context.Context, c *calls) {
	q.stopAccepting()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = q.http.Shutdown(context.Background()) // returns once close has been called
	}()
	c.waitIdle(ctx, 3)
	select {
	case <-gone:
	case <-ctx.Done():
	case <-time.After(quicLinger):
	}
}

// close closes the connections and then the sockets' transports. http3.Server
// waits for its handlers, which may never end, so it is given only closeGrace.
func (q *quicServer) close() {
	q.stopAccepting()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = q.http.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closeGrace):
	}
	for _, transport := range q.transports {
		_ = transport.Close()
	}
}
