package h2http

import (
	"os"
	"sync"
)

// gate holds up a handler whose output waits for the peer. It is shut by the handler,
// and opened by the connection. Its zero value is open.
type gate struct {
	mu      sync.Mutex
	waiting sync.Cond
	shut    bool
	err     error
}

// close has await wait until open is called. It is called with the connection locked.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = false
	g.waiting.Signal()
}

// fail has await return an error from now on, the first that it was given.
func (g *gate) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
	g.waiting.Signal()
}

func (g *gate) expire() { g.fail(os.ErrDeadlineExceeded) }

// await returns once the gate is open, or what has ended the stream.
func (g *gate) await() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.shut && g.err == nil {
		g.waiting.Wait()
	}
	return g.err
}
