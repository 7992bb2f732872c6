package floor

import (
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

// serverCall is one call as the server sees it. It belongs to a stream and is reused
// with it. It has no goroutine: each event of the stream continues it as far as
// possible.
type serverCall struct {
	conn       *serverConn
	stream     *h2.Stream // nil between calls
	req        *request
	in         assembler
	held       []byte // input that waits until the output has gone
	unusedHeld []byte // a buffer for held, kept for reuse
	halted     bool   // input is held
	ended      bool   // the client has half-closed
	begun      bool   // the response's header is sent
	over       bool   // the call has its status, or needs none
	got        int32  // messages received
	name       string // of the one request of a mode that has one
	count      int32  // of greetings to send
	sent       int32  // of those
	demo       *demoCall
}

// open begins a call.
func (c *serverCall) open(r *request, h *h2.Header, end bool) {
	c.req = r
	c.ended = end
	c.setDeadline(r.timeout)
	if c.conn.options.Demo != nil {
		c.beginDemo(h)
	}
	switch {
	case r.http != "":
		c.refuse(r.http)
	case r.err != nil:
		c.fail(r.err)
	case r.expired:
		c.expire()
	case end:
		c.data(nil, true)
	}
}

func (c *serverCall) setDeadline(timeout time.Duration) {
	limit := c.conn.options.CallLimit
	if timeout == 0 || limit > 0 && limit < timeout {
		timeout = limit
	}
	if timeout > 0 {
		c.stream.SetDeadline(c.conn.h2conn.After(timeout))
	}
}

// data takes a piece of the request. Input that comes while output waits is held and
// not consumed, so flow control stops a client that does not read.
func (c *serverCall) data(piece []byte, end bool) {
	c.ended = c.ended || end
	switch {
	case c.over:
		c.stream.Consumed(len(piece))
	case c.halted || c.stream.Blocked():
		c.held = append(c.held, piece...)
		c.halted = true
	default:
		c.take(piece)
	}
}

// take serves the messages in a piece of input until a reply has to wait.
func (c *serverCall) take(piece []byte) {
	for !c.over {
		message, rest, ok, err := c.in.next(piece)
		c.stream.Consumed(len(piece) - len(rest))
		if err == nil && ok {
			c.got++
			err = c.message(message)
		}
		switch {
		case err != nil:
			c.fail(err)
		case ok && c.stream.Blocked():
			c.held, c.halted = append(c.held, rest...), true
			return
		case !ok:
			c.halfClosed()
			return
		}
		piece = rest
	}
	c.stream.Consumed(len(piece))
}

// resume continues a call once its output has gone.
func (c *serverCall) resume() {
	if c.over {
		return
	}
	if c.halted {
		piece := c.held
		c.held, c.halted = c.unusedHeld[:0], false
		c.take(piece)
		c.unusedHeld = piece
		return
	}
	if c.req.mode == greet.ServerStream {
		c.sendGreetings()
	}
}

// halfClosed ends the request if the client has sent all of it.
func (c *serverCall) halfClosed() {
	if !c.ended || c.over {
		return
	}
	if c.in.partial() {
		c.fail(&greet.Error{Code: greet.CodeInternal, Message: "the request ends within a message"})
		return
	}
	if err := c.end(); err != nil {
		c.fail(err)
	}
}

// send sends one message of the response, with the header before the first.
func (c *serverCall) send(m proto.Message) error {
	size, err := sizeOf(m)
	if err != nil { // before the header says that all is well
		return err
	}
	c.header()
	if err := c.conn.sender.send(c.stream, m, size, true, false); err != nil {
		return err
	}
	if c.demo != nil {
		c.demo.call.Sent()
	}
	return nil
}

func (c *serverCall) header() {
	if !c.begun {
		c.begun = true
		c.stream.Headers(c.conn.begin, c.demo.header(), false)
	}
}

// finish ends the call with status OK.
func (c *serverCall) finish() {
	c.header()
	c.over = true
	c.demo.end(nil)
	c.stream.Headers(c.conn.ok, c.demo.trailer(), true)
	c.stream.Finish()
}

// fail ends the call with an error. A response that has not begun, and has no
// header of its own to send, is one header with everything in it.
func (c *serverCall) fail(err error) {
	c.over = true
	c.demo.end(err)
	if c.demo != nil {
		c.header()
	}
	fields := append(statusFields(err), c.demo.trailer()...)
	block := c.conn.begin
	if c.begun {
		block = c.conn.nothing
	}
	c.begun = true
	c.stream.Headers(block, fields, true)
	c.stream.Finish()
}

// refuse answers a request that is not gRPC with an HTTP status.
func (c *serverCall) refuse(status string) {
	c.over = true
	c.stream.Headers(h2.NewBlock(h2.Field{Name: ":status", Value: status, Sensitive: true}), nil, true)
	c.stream.Finish()
}

// expire ends the call at its deadline. If output waits, the client does not read, so
// the stream is reset: a status would wait too.
func (c *serverCall) expire() {
	switch {
	case c.over && !c.stream.Blocked():
	case c.stream.Blocked():
		c.over = true
		c.stream.Reset(h2.Cancel)
	default:
		c.fail(&greet.Error{Code: greet.CodeDeadlineExceeded, Message: "the call's deadline has passed"})
	}
}

// closed makes the serverCall ready for the stream's next use.
func (c *serverCall) closed(end h2.End) {
	if !c.over {
		c.demo.end(endCause(end))
	}
	c.in.reset()
	if cap(c.unusedHeld) > largestKept {
		c.unusedHeld = nil
	}
	*c = serverCall{conn: c.conn, in: c.in, unusedHeld: c.unusedHeld}
}
