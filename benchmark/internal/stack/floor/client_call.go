package floor

import (
	"context"
	"io"
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/stack"
)

// clientCall is one call of the client with blocking methods. The event loop of the
// connection feeds it; one goroutine sends and one receives.
type clientCall struct {
	ctx    context.Context
	h2conn *h2.Conn
	stop   func() bool // of the context.AfterFunc that abandons the call
	md     *stack.Metadata

	// The connection's lock guards these.
	stream  *h2.Stream // nil once it has closed
	in      assembler
	held    []byte        // response bytes that nobody has received yet
	taken   int           // how many bytes of held were received
	over    bool          // the call has ended, with err
	err     error         // nil for OK
	headed  bool          // the response's header has come
	arrived chan struct{} // wakes the goroutine that receives
	room    chan struct{} // wakes the goroutine that sends
}

func newClientCall(ctx context.Context, h2conn *h2.Conn, s *h2.Stream, md *stack.Metadata) *clientCall {
	return &clientCall{
		ctx: ctx, h2conn: h2conn, stream: s, md: md,
		arrived: make(chan struct{}, 1),
		room:    make(chan struct{}, 1),
	}
}

// signal wakes the goroutine that waits on c, or the next one to wait.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (c *clientCall) writable() { signal(c.room) }

// headers takes the header of the response, or the trailer.
func (c *clientCall) headers(h *h2.Header, end bool) {
	first := !c.headed
	c.headed = true
	if c.md != nil {
		if first && !end {
			c.md.ResponseHeader = metadataOf(h)
		} else {
			c.md.ResponseTrailer = metadataOf(h)
		}
	}
	switch status := h.Get(":status"); {
	case first && status != "200":
		c.finish(httpError(status))
	case first && !isGRPC(h.Get("content-type")):
		c.finish(typeError(h.Get("content-type")))
	case end:
		c.finish(parseStatus(h))
	case h.Get("grpc-encoding") != "" && h.Get("grpc-encoding") != "identity":
		c.finish(&greet.Error{Code: greet.CodeInternal, Message: "the server compressed its response, which the floor does not accept"})
	}
}

// finish notes how the call ended, and resets a stream that is still open.
func (c *clientCall) finish(err error) {
	if c.over {
		return
	}
	c.over, c.err = true, err
	if c.stream != nil && (c.stream.Open() || !c.stream.RemoteEnded()) {
		c.stream.Reset(h2.Cancel)
	}
	signal(c.arrived)
	signal(c.room)
}

// data holds a piece of the response until somebody receives. Only then is it
// consumed, so flow control stops a response that nobody reads.
func (c *clientCall) data(p []byte) {
	if c.over || c.stream == nil {
		return
	}
	if c.taken >= len(c.held)/2 { // so each byte moves at most once
		c.held = append(c.held[:0], c.held[c.taken:]...)
		c.taken = 0
	}
	c.held = append(c.held, p...)
	signal(c.arrived)
}

// closed takes the end of the stream. Without a status before it, the end says how
// the call ended.
func (c *clientCall) closed(end h2.End) {
	c.stream = nil
	if c.over {
		return
	}
	deadline, ok := c.ctx.Deadline()
	c.finish(endError(end, ok && !time.Now().Before(deadline)))
}

// abandon ends a call whose context is done.
func (c *clientCall) abandon() { c.h2conn.Do(func() { c.giveUp(contextError(c.ctx)) }) }

// giveUp ends the call for a reason on this side, and drops what it had received, so
// that the caller sees the reason at once.
func (c *clientCall) giveUp(err error) {
	if !c.over {
		c.held, c.taken = nil, 0
		c.finish(err)
	}
}

// cancel releases the call, and ends it if it has not ended.
func (c *clientCall) cancel() {
	c.stop()
	c.h2conn.Do(func() { c.giveUp(&greet.Error{Code: greet.CodeCanceled, Message: "the call was closed"}) })
}

// send sends a message, and waits until the server's windows and the socket have
// taken it. It returns io.EOF if the call has ended.
func (c *clientCall) send(m proto.Message) error {
	raw, err := appendMessage(nil, m)
	if err != nil {
		c.h2conn.Do(func() { c.giveUp(err) })
		return err
	}
	c.h2conn.Do(func() {
		if !c.over && c.stream != nil {
			writeOwn(c.stream, raw, false)
		}
	})
	for {
		var blocked, over bool
		c.h2conn.Do(func() {
			over = c.over || c.stream == nil
			blocked = !over && c.stream.Blocked()
		})
		switch {
		case over:
			return io.EOF
		case !blocked:
			return nil
		}
		<-c.room
	}
}

// writeOwn writes a message that nobody else uses.
func writeOwn(s *h2.Stream, raw []byte, end bool) {
	if len(raw) > largestKept {
		s.Give(raw, end)
		return
	}
	s.Write(raw, end)
}

// closeSend half-closes.
func (c *clientCall) closeSend() {
	c.h2conn.Do(func() {
		if c.ctx.Err() != nil { // the end must not look like the caller's last word
			c.giveUp(contextError(c.ctx))
		}
		if !c.over && c.stream != nil {
			c.stream.Write(nil, true)
		}
	})
}

// receive waits for the next message. It returns io.EOF after the last.
func (c *clientCall) receive(m proto.Message) error {
	for {
		var ok bool
		var err error
		c.h2conn.Do(func() { ok, err = c.take(m) })
		if ok || err != nil {
			return err
		}
		<-c.arrived
	}
}

// take unmarshals the next message if a whole one is held, or returns how the call
// ended.
func (c *clientCall) take(m proto.Message) (ok bool, err error) {
	waiting := c.held[c.taken:]
	raw, rest, ok, err := c.in.next(waiting)
	c.taken += len(waiting) - len(rest)
	if c.stream != nil {
		c.stream.Consumed(len(waiting) - len(rest))
	}
	if ok && err == nil {
		err = unmarshal(raw, m)
	}
	switch {
	case err != nil:
		c.giveUp(err)
		return false, err
	case ok:
		return true, nil
	case !c.over:
		return false, nil
	case c.err != nil:
		return false, c.err
	case c.in.partial():
		return false, errPartial
	}
	return false, io.EOF
}
