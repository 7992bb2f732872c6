package h2http

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"sync/atomic"

	"example.com/greet/internal/h2"
)

// clientCall is one request and its response, between a stream and the goroutines of
// whoever makes the request.
type clientCall struct {
	conn     *clientConn
	request  *http.Request
	fields   []h2.Field // of the request's header, until it is sent
	size     int64      // of those, as RFC 9113, section 6.5.2, counts
	bodyless bool
	whole    *buffer       // the request's body, if it is short and was there at once
	sending  chan struct{} // closed once nobody sends the body any more; nil if nobody ever did
	gate     gate          // holds up whoever sends the body
	body     body          // of the response
	stop     func() bool   // ends the watch over the request's context
	over     atomic.Bool   // the stream has ended

	// Until answered is closed, the connection guards these.
	answered chan struct{}
	replied  bool
	response *http.Response
	err      error // in place of the response

	stream *h2.Stream // nil before it is opened and once it has ended; the connection guards it
}

func (c *clientConn) newCall(req *http.Request) (*clientCall, error) {
	call := &clientCall{conn: c, request: req, answered: make(chan struct{}), bodyless: !hasBody(req)}
	call.gate.waiting.L = &call.gate.mu
	call.body.owner, call.body.changed.L = call, &call.body.mu
	var err error
	if call.fields, err = requestFields(req); err != nil {
		return nil, err
	}
	for _, f := range call.fields {
		call.size += int64(f.Size())
	}
	if !call.bodyless && req.GetBody != nil && 0 < req.ContentLength && req.ContentLength <= largestKept {
		call.whole, err = readWhole(req)
	}
	return call, err
}

// post has f send something on the stream, unless that has ended.
func (c *clientCall) post(f func(s *h2.Stream)) {
	c.conn.h2.Post(func() {
		if c.stream != nil {
			f(c.stream)
		}
	})
}

func (c *clientCall) share() int { return c.conn.h2.Share() }

// takeTrailer adds what has come to the response's trailer, announced or not.
func (c *clientCall) takeTrailer(trailer http.Header) {
	if c.response.Trailer == nil {
		c.response.Trailer = make(http.Header, len(trailer))
	}
	maps.Copy(c.response.Trailer, trailer)
}

// answer lets RoundTrip return, with the response or with an error.
func (c *clientCall) answer(err error) {
	if !c.replied {
		c.replied, c.err = true, err
		close(c.answered)
	}
}

// ended has whoever reads or sends learn that the stream has ended, unless all that they
// wait for has come.
func (c *clientCall) ended(err error) {
	c.over.Store(true)
	c.answer(err)
	c.body.fail(err)
	c.gate.fail(err)
	if c.sending == nil {
		return
	}
	select {
	case <-c.sending:
	default:
		go c.settle() // what a body's Close does must not hold up the connection
	}
}

// settle closes the request's body, and waits until nobody reads it any more.
func (c *clientCall) settle() {
	closeBody(c.request)
	if c.sending != nil {
		<-c.sending
	}
}

// abandon gives the call up, because of err.
func (c *clientCall) abandon(err error) {
	c.conn.h2.Post(func() {
		c.conn.forget(c)
		c.answer(err)
		if c.stream != nil {
			c.stream.Reset(h2.Cancel)
		}
	})
	c.body.fail(err)
	c.gate.fail(err)
	closeBody(c.request)
}

// watch abandons the call when its context ends, until the stream has ended or the
// response is closed.
func (c *clientCall) watch() {
	ctx := c.request.Context()
	if c.over.Load() || ctx.Done() == nil {
		return
	}
	c.stop = context.AfterFunc(ctx, func() { c.abandon(ctx.Err()) })
}

// Read reads the response's body. Together with Close it makes a call an
// http.Response's Body.
func (c *clientCall) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	if errors.Is(err, io.EOF) && c.over.Load() {
		c.unwatch()
	}
	return n, err
}

// Close gives up what of the response has not come.
func (c *clientCall) Close() error {
	c.unwatch()
	if !c.over.Load() {
		c.post(func(s *h2.Stream) { s.Reset(h2.Cancel) })
	}
	return c.body.Close()
}

func (c *clientCall) unwatch() {
	if c.stop != nil {
		c.stop()
	}
}
