package floor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"

	"example.com/greet/benchmark/internal/calls"
)

// endpoint is the server that a driver calls, and what with.
type endpoint struct {
	addr     string
	work     *loadWork   // for what all variants have in common
	variants []*loadWork // of which each call does one
	opened   *atomic.Int64
}

func newEndpoint(addr string, w calls.Work) (endpoint, error) {
	if err := checkWork(w); err != nil {
		return endpoint{}, fmt.Errorf("drive %s: %w", addr, err)
	}
	e := endpoint{addr: addr, work: newLoadWork(w), opened: new(atomic.Int64)}
	e.draw()
	return e, nil
}

// draw makes the variants anew.
func (e *endpoint) draw() {
	e.variants = nil
	for _, variant := range e.work.of.Variants() {
		e.variants = append(e.variants, newLoadWork(variant))
	}
}

// variant chooses one by chance.
func (e *endpoint) variant() *loadWork { return e.variants[rand.IntN(len(e.variants))] }

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
