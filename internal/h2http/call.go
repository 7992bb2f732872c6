package h2http

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"example.com/greet/internal/h2"
)

// call is one request and its response, between a stream and the goroutine of the
// handler.
type call struct {
	conn    *conn
	request *http.Request
	cancel  context.CancelFunc
	body    body
	gate    gate

	// The connection guards these.
	stream                      *h2.Stream // nil once it has ended
	readDeadline, writeDeadline time.Duration
}

// run serves the call by the handler. It returns false if the handler has panicked.
func (c *call) run(by *worker) bool {
	w := &response{call: c, worker: by, header: make(http.Header, 8), isHead: c.request.Method == http.MethodHead}
	defer c.ended(w)
	c.conn.handler.ServeHTTP(w, c.request)
	w.finish()
	return true
}

// ended frees what the call has held, also if the handler has panicked or exited its
// goroutine.
func (c *call) ended(w *response) {
	if v := recover(); v != nil || !w.over.Load() {
		w.over.Store(true)
		c.panicked(v)
	}
	w.free()
	c.cancel()
	c.body.free()
}

// panicked resets the stream, since a response cut short must not look whole. The peer
// learns nothing of why.
func (c *call) panicked(v any) {
	if err, _ := v.(error); v != nil && !errors.Is(err, http.ErrAbortHandler) {
		c.conn.server.logf("http2: panic serving %s: %v\n%s", c.conn.remote, v, debug.Stack())
	}
	c.post(func(s *h2.Stream) { s.Reset(h2.InternalError) })
	c.conn.h2.Post(func() { c.conn.next(nil) })
}

// post has f send something on the stream, unless that has ended. What f leaves is
// written with what other calls leave.
func (c *call) post(f func(s *h2.Stream)) {
	c.conn.h2.Post(func() {
		if c.stream != nil {
			f(c.stream)
		}
	})
}

func (c *call) share() int { return c.conn.h2.Share() }

// takeTrailer sets those fields of the request's trailer that were announced.
func (c *call) takeTrailer(trailer http.Header) {
	for name := range c.request.Trailer {
		if values, ok := trailer[name]; ok {
			c.request.Trailer[name] = values
		}
	}
}

// setDeadline moves one of the call's deadlines; a zero time takes it away.
func (c *call) setDeadline(which *time.Duration, t time.Time) {
	c.post(func(s *h2.Stream) {
		*which = 0
		if !t.IsZero() {
			*which = c.conn.until(t)
		}
		c.arm(s)
	})
}

// arm sets the stream's one deadline to the earlier of the two.
func (c *call) arm(s *h2.Stream) {
	at := c.readDeadline
	if c.writeDeadline != 0 && (at == 0 || c.writeDeadline < at) {
		at = c.writeDeadline
	}
	s.SetDeadline(at)
}

// expire ends reading, or the whole stream if a write could not be done in time.
func (c *call) expire(now time.Duration) {
	if c.readDeadline != 0 && c.readDeadline <= now {
		c.readDeadline = 0
		c.body.expire()
	}
	if c.writeDeadline != 0 && c.writeDeadline <= now {
		c.writeDeadline = 0
		c.gate.expire()
		c.stream.Reset(h2.InternalError)
		return
	}
	c.arm(c.stream)
}
