package floor

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"

	"example.com/greet/benchmark/internal/calls"
)

// endpoint is the server that a driver calls, and what with.
type endpoint struct {
	addr   string
	work   *loadWork
	opened *atomic.Int64
}

func newEndpoint(addr string, w calls.Work) (endpoint, error) {
	work, err := newLoadWork(w)
	if err != nil {
		return endpoint{}, fmt.Errorf("drive %s: %w", addr, err)
	}
	return endpoint{addr: addr, work: work, opened: new(atomic.Int64)}, nil
}

// Connections is how many connections were opened so far.
func (e endpoint) Connections() int64 { return e.opened.Load() }

// dial opens and counts a connection.
func (e endpoint) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	nc, err := dialer.DialContext(ctx, "tcp", e.addr)
	if err == nil {
		e.opened.Add(1)
	}
	return nc, err
}
