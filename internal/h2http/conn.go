package h2http

import (
	"context"
	"crypto/tls"
	"net/http"
	"time"

	"example.com/greet/internal/h2"
)

// maxWaiting is how many calls may wait for a handler, for each that may run: net/http
// has the same. Calls wait when their peer has reset others whose handlers still run.
const maxWaiting = 4

// conn is one connection, as its h2.Handler. Its fields that change are guarded by the
// connection.
type conn struct {
	server  *server
	handler http.Handler
	h2      *h2.Conn
	context context.Context
	tls     *tls.ConnectionState // nil without TLS
	remote  string
	streams int // how many may be open, and how many handlers may run

	running int
	workers workers
	waiting []*call
}

// callOf returns the call of a stream; nil for one that was refused.
func callOf(s *h2.Stream) *call {
	c, _ := s.State.(*call)
	return c
}

// Headers begins a call, or takes the trailer that ends its request.
func (c *conn) Headers(s *h2.Stream, h *h2.Header, end bool) {
	if call := callOf(s); call != nil {
		call.body.end(s, trailerOf(h))
		return
	}
	begun, status := c.newCall(s, h, end)
	if status != 0 {
		refuse(s, status)
		return
	}
	s.State = begun
	c.start(begun)
}

// start runs the call's handler, now or when another has ended.
func (c *conn) start(begun *call) {
	switch {
	case c.running < c.streams:
		c.running++
		c.workers.run(begun)
	case len(c.waiting) < maxWaiting*c.streams:
		c.waiting = append(c.waiting, begun)
	default:
		c.h2.Calm("too many streams were reset while their handlers run")
	}
}

// next starts a call that waits, in the place of one whose handler has ended. The worker
// has run that; it is nil if it has not survived.
func (c *conn) next(w *worker) {
	c.running--
	if w != nil {
		c.workers.rest(w)
	}
	for len(c.waiting) > 0 {
		call := c.waiting[0]
		c.waiting[0] = nil
		c.waiting = c.waiting[1:]
		if call.stream != nil { // else its peer has given it up
			c.start(call)
			return
		}
	}
	c.waiting = nil
}

// Data takes a piece of a request's body.
func (c *conn) Data(s *h2.Stream, p []byte, end bool) {
	call := callOf(s)
	if call == nil {
		s.Consumed(len(p))
		return
	}
	if !call.body.add(s, p, end) {
		s.Reset(h2.ProtocolError) // RFC 9113, section 8.1.1
	}
}

// Writable lets a handler go on that waits to write.
func (c *conn) Writable(s *h2.Stream) {
	if call := callOf(s); call != nil {
		call.gate.open()
	}
}

// Expired ends what a handler has set a deadline for.
func (c *conn) Expired(s *h2.Stream) {
	if call := callOf(s); call != nil {
		call.expire(c.h2.Now())
	}
}

// Closed ends the call, if its handler has not.
func (c *conn) Closed(s *h2.Stream, end h2.End) {
	call := callOf(s)
	s.State = nil
	if call == nil {
		return
	}
	call.stream = nil
	err := &StreamError{ID: s.ID(), End: end}
	if end.By != h2.Both {
		call.cancel()
		call.body.lose(err)
	}
	call.gate.fail(err)
}

// Changed does nothing: the peer's settings do not matter to handlers.
func (c *conn) Changed(*h2.Conn) {}

// Ended forgets calls that have not begun. Closed has ended the others.
func (c *conn) Ended(*h2.Conn, error) {
	c.waiting = nil
	c.workers.close()
}

// until is the time on the connection's clock at which t will have come, at least 1,
// since 0 would mean never.
func (c *conn) until(t time.Time) time.Duration { return max(1, c.h2.Now()+time.Until(t)) }
