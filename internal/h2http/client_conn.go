package h2http

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"example.com/greet/internal/h2"
)

// clientConn is the client's end of a connection, as its h2.Handler and as an
// http.RoundTripper. The connection guards what changes.
type clientConn struct {
	h2    *h2.Conn
	tls   *tls.ConnectionState // nil without TLS
	leave func()               // takes it out of its pool

	waiting []*clientCall // for a stream
	opened  bool          // it has had a stream
	blamed  bool          // a request has failed because it had none
}

// unusableError says that a connection takes no more requests. By its method net/http
// knows that it is to forget the connection and find the request another.
type unusableError struct{ cause error }

func (e *unusableError) Error() string {
	return fmt.Sprintf("the connection takes no more requests: %v", e.cause)
}
func (e *unusableError) Unwrap() error           { return e.cause }
func (*unusableError) IsHTTP2NoCachedConnError() {}

// RoundTrip makes a request, and returns when the header of its response has come.
func (c *clientConn) RoundTrip(req *http.Request) (*http.Response, error) {
	call, err := c.newCall(req)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	c.h2.Post(func() { c.begin(call) })
	select {
	case <-call.answered:
	case <-req.Context().Done():
		call.abandon(req.Context().Err())
		return nil, req.Context().Err()
	}
	if call.err != nil {
		if _, unusable := errors.AsType[*unusableError](call.err); !unusable { // else the body goes elsewhere
			call.settle()
		}
		return nil, call.err
	}
	call.watch()
	return call.response, nil
}

// begin opens the call's stream, or has it wait until the server takes one more.
func (c *clientConn) begin(call *clientCall) {
	switch {
	case c.h2.Leaving():
		call.answer(c.unusable())
	case call.size > int64(c.h2.HeaderLimit()):
		call.answer(errRequestHeader)
	case c.h2.Available() > 0 && len(c.waiting) == 0:
		c.open(call)
	default:
		c.waiting = append(c.waiting, call)
	}
}

func (c *clientConn) open(call *clientCall) {
	c.opened = true
	s := c.h2.Open(emptyBlock, call.fields, call.bodyless)
	s.State, call.stream = call, s
	call.fields = nil
	switch {
	case call.bodyless:
	case call.whole != nil:
		s.Write(call.whole.bytes, true)
		call.whole.free()
		call.whole = nil
	default:
		call.sending = make(chan struct{})
		go call.send()
	}
}

// unusable is why a request cannot be made here. If none ever could, the first to ask
// must fail: to dial again for it could go on for ever.
func (c *clientConn) unusable() error {
	cause := c.h2.Err()
	if cause == nil {
		cause = errLeaving
	}
	if !c.opened && !c.blamed {
		c.blamed = true
		return fmt.Errorf("the server ended the connection before a request: %w", cause)
	}
	return &unusableError{cause}
}

// next opens streams for calls that wait, as many as the server takes.
func (c *clientConn) next() {
	for len(c.waiting) > 0 && (c.h2.Leaving() || c.h2.Available() > 0) {
		call := c.waiting[0]
		c.waiting = slices.Delete(c.waiting, 0, 1)
		if c.h2.Leaving() {
			call.answer(c.unusable())
		} else {
			c.open(call)
		}
	}
}

// forget takes out a call that need not wait any more.
func (c *clientConn) forget(call *clientCall) {
	c.waiting = slices.DeleteFunc(c.waiting, func(other *clientCall) bool { return other == call })
}

func clientCallOf(s *h2.Stream) *clientCall {
	call, _ := s.State.(*clientCall)
	return call
}

// Headers takes the header of a response, or its trailer.
func (c *clientConn) Headers(s *h2.Stream, h *h2.Header, end bool) {
	call := clientCallOf(s)
	if call.response != nil {
		call.body.end(s, trailerOf(h))
		return
	}
	if err := call.respond(h, end); err != nil {
		call.answer(err)
		s.Reset(h2.ProtocolError)
		return
	}
	call.answer(nil)
}

// Data takes a piece of a response's body.
func (c *clientConn) Data(s *h2.Stream, p []byte, end bool) {
	if !clientCallOf(s).body.add(s, p, end) {
		s.Reset(h2.ProtocolError)
	}
}

// Writable lets a request's body go on.
func (c *clientConn) Writable(s *h2.Stream) { clientCallOf(s).gate.open() }

// Expired does nothing: requests have contexts.
func (c *clientConn) Expired(*h2.Stream) {}

// Closed ends a call, whose place another may take.
func (c *clientConn) Closed(s *h2.Stream, end h2.End) {
	call := clientCallOf(s)
	s.State, call.stream = nil, nil
	err := error(&StreamError{ID: s.ID(), End: end})
	if end.By == h2.Lost {
		err = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, c.h2.Err())
	}
	call.ended(err)
	c.next()
}

// Changed opens streams that wait, if the server takes them now. A connection that takes
// no more leaves the pool.
func (c *clientConn) Changed(*h2.Conn) {
	if c.h2.Leaving() {
		c.leave()
	}
	c.next()
}

// Ended has the calls that wait find another connection.
func (c *clientConn) Ended(*h2.Conn, error) {
	c.leave()
	c.next()
}

var (
	errLeaving       = errors.New("the server said that it ends the connection")
	errRequestHeader = errors.New("the request's header is larger than the server accepts")
)
