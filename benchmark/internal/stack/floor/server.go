package floor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"example.com/greet/internal/h2"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// defaultStreams is how many calls one connection may have open.
const defaultStreams = 100

// server serves connections, each by one goroutine.
type server struct {
	options stack.ServeOptions
	running sync.WaitGroup

	mu    sync.Mutex
	conns map[*h2.Conn]struct{} // nil once the server stops
}

func newServer(o stack.ServeOptions) *server {
	if o.Streams == 0 {
		o.Streams = defaultStreams
	}
	return &server{options: o, conns: make(map[*h2.Conn]struct{})}
}

// run serves until ctx is done, then drains: it tells clients to open no more
// streams, and open calls have until the limit to end. The error is a
// *listen.CutError if some did not.
func (srv *server) run(ctx context.Context, l net.Listener) error {
	accepted := make(chan error, 1)
	go func() { accepted <- srv.accept(l) }()
	select {
	case <-ctx.Done():
		l.Close()
		return errors.Join(ignoreClosed(<-accepted), srv.drain())
	case err := <-accepted:
		return errors.Join(fmt.Errorf("serve floor on %s: %w", l.Addr(), err), srv.drain())
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// accept serves each connection until the listener is closed.
func (srv *server) accept(l net.Listener) error {
	for {
		nc, err := l.Accept()
		switch {
		case err == nil:
			srv.running.Go(func() { srv.serve(nc) })
		case errors.Is(err, net.ErrClosed):
			return err
		default:
			// Most likely no file descriptor is left, until a connection ends.
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func (srv *server) serve(nc net.Conn) {
	handler := &serverConn{options: srv.options}
	conn := h2.NewServer(nc, handler, srv.options.Streams)
	handler.h2conn = conn
	if !srv.add(conn) {
		nc.Close()
		return
	}
	// Nobody here needs to know how a connection ended.
	_ = conn.Run()
	srv.remove(conn)
}

func (srv *server) add(c *h2.Conn) bool {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if srv.conns != nil {
		srv.conns[c] = struct{}{}
	}
	return srv.conns != nil
}

func (srv *server) remove(c *h2.Conn) {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	delete(srv.conns, c)
}

// drain returns when no connection is left.
func (srv *server) drain() error {
	for _, c := range srv.open(false) {
		c.Do(c.Drain)
	}
	ended := make(chan struct{})
	go func() {
		srv.running.Wait()
		close(ended)
	}()
	limit := time.NewTimer(srv.options.Drain)
	defer limit.Stop()
	select {
	case <-ended:
		return nil
	case <-limit.C:
	}
	cut := &listen.CutError{Limit: srv.options.Drain, Over: []string{"HTTP/2"}}
	for _, c := range srv.open(true) {
		c.Do(func() { cut.Calls += int64(c.Streams()) })
		c.Close()
	}
	<-ended
	if cut.Calls == 0 {
		return nil
	}
	return cut
}

// open lists the connections. After the last listing none can be added.
func (srv *server) open(last bool) []*h2.Conn {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	var list []*h2.Conn
	for c := range srv.conns {
		list = append(list, c)
	}
	if last {
		srv.conns = nil
	}
	return list
}
