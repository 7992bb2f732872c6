package h2http

import (
	"errors"
	"io"
	"net/http"
	"sync"

	"example.com/greet/internal/h2"
)

// Sizes of the pieces in which bodies of requests are read and sent.
const (
	sendBuffer = 16 << 10
	// largeSendBuffer is for bodies that are long for sure.
	largeSendBuffer = 128 << 10
)

var sendBuffers, largeSendBuffers = newBuffers(sendBuffer), newBuffers(largeSendBuffer)

func newBuffers(size int) *sync.Pool {
	return &sync.Pool{New: func() any { b := make([]byte, size); return &b }}
}

var errWrongLength = errors.New("the request's body is not as long as its ContentLength")

func hasBody(req *http.Request) bool { return req.Body != nil && req.Body != http.NoBody }

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // nobody waits for what that says
	}
}

// readWhole reads a short body. One that can be had again is in memory, so that this
// does not wait for anything.
func readWhole(req *http.Request) (*buffer, error) {
	b := takeBuffer()
	size := int(req.ContentLength)
	if cap(b.bytes) <= size {
		b.bytes = make([]byte, 0, size+1)
	}
	// One byte more tells whether the body ends where it should.
	n, err := io.ReadFull(req.Body, b.bytes[:size+1])
	closeBody(req)
	switch {
	case n != size:
		b.free()
		return nil, errWrongLength
	case !errors.Is(err, io.ErrUnexpectedEOF):
		b.free()
		return nil, err
	}
	b.bytes = b.bytes[:size]
	return b, nil
}

// send sends the request's body as it comes, and after it the trailer.
func (c *clientCall) send() {
	defer close(c.sending)
	buffers := sendBuffers
	if c.request.ContentLength > largestKept {
		buffers = largeSendBuffers
	}
	buf, _ := buffers.Get().(*[]byte)
	if err := c.copyBody(*buf); err != nil {
		c.giveUp(err)
		return // with the buffer, which the stream may still have
	}
	buffers.Put(buf)
}

// copyBody sends pieces of the body until its end. The stream has none of buf when it
// returns nil.
func (c *clientCall) copyBody(buf []byte) error {
	left := c.request.ContentLength
	for {
		n, err := c.request.Body.Read(buf)
		if left > 0 {
			if left -= int64(n); left < 0 || errors.Is(err, io.EOF) && left > 0 {
				return errWrongLength
			}
		}
		if n > 0 {
			c.post(func(s *h2.Stream) {
				s.Lend(buf[:n], false)
				if s.Blocked() {
					c.gate.close()
				}
			})
			if err := c.gate.await(); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			c.finish()
			return nil
		case err != nil:
			return err
		}
	}
}

// finish ends the request, with the trailer if there is one.
func (c *clientCall) finish() {
	closeBody(c.request)
	var trailer []h2.Field
	for name, values := range c.request.Trailer {
		trailer = appendField(trailer, name, values)
	}
	c.post(func(s *h2.Stream) {
		if trailer == nil {
			s.Write(nil, true)
		} else {
			s.Headers(emptyBlock, trailer, true)
		}
	})
}

// giveUp resets the stream because the body could not be read to its end.
func (c *clientCall) giveUp(err error) {
	closeBody(c.request)
	if ended := c.request.Context().Err(); ended != nil {
		err = ended // whoever watches the context may have closed the body
	}
	c.conn.h2.Post(func() {
		if c.stream != nil {
			c.answer(err)
			c.body.fail(err)
			c.stream.Reset(h2.Cancel)
		}
	})
}
