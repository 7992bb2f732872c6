package floor

import (
	"context"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/stack/floor/h2"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// call is one call as a client with blocking methods sees it: the events of its
// stream on one side, a goroutine that sends and one that receives on the other.
type call struct {
	ctx  context.Context
	conn *h2.Conn
	stop func() bool // takes back what is to happen when ctx is done
	md   *stack.Metadata

	// The connection's lock guards these.
	stream  *h2.Stream // nil once it has closed
	in      assembler
	held    []byte // of the response
	taken   int    // how much of held has been received
	over    bool   // err says how the call ended
	err     error  // nil for OK
	heard   bool   // a header has come
	arrived chan struct{}
	goOn    chan struct{}
}

func newCall(ctx context.Context, conn *h2.Conn, s *h2.Stream, md *stack.Metadata) *call {
	return &call{
		ctx: ctx, conn: conn, stream: s, md: md,
		arrived: make(chan struct{}, 1),
		goOn:    make(chan struct{}, 1),
	}
}

// signal wakes the goroutine that waits on c, or that will.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (c *call) mayGoOn() { signal(c.goOn) }

// headers takes the header of the response, or the trailer.
func (c *call) headers(h *h2.Header, end bool) {
	first := !c.heard
	c.heard = true
	if c.md != nil {
		if first && !end {
			c.md.ResponseHeader = metadataOf(h)
		} else {
			c.md.ResponseTrailer = metadataOf(h)
		}
	}
	switch status := h.Get(":status"); {
	case first && status != "200":
		c.finish(&greet.Error{Code: httpCode(status), Message: "the server answered with HTTP status " + status})
	case first && !isGRPC(h.Get("content-type")):
		c.finish(&greet.Error{Code: greet.CodeUnknown, Message: fmt.Sprintf("the server answered with content of type %q", h.Get("content-type"))})
	case end:
		c.finish(parseStatus(h))
	case h.Get("grpc-encoding") != "" && h.Get("grpc-encoding") != "identity":
		c.finish(&greet.Error{Code: greet.CodeInternal, Message: "the server compressed its response, which the floor did not offer to accept"})
	}
}

// finish notes how the call ended. A stream that is still open is of no use.
func (c *call) finish(err error) {
	if c.over {
		return
	}
	c.over, c.err = true, err
	if c.stream != nil && (c.stream.Open() || !c.stream.RemoteEnded()) {
		c.stream.Reset(h2.Cancel)
	}
	signal(c.arrived)
	signal(c.goOn)
}

// data holds a piece of the response until somebody receives. It is consumed only
// then, so that a response that nobody reads stops.
func (c *call) data(p []byte) {
	if c.over || c.stream == nil {
		return
	}
	if c.taken >= len(c.held)/2 { // moves each byte once at most
		c.held = append(c.held[:0], c.held[c.taken:]...)
		c.taken = 0
	}
	c.held = append(c.held, p...)
	signal(c.arrived)
}

// closed is the end of the stream. If it comes without a status, it is one.
func (c *call) closed(end h2.End) {
	c.stream = nil
	if c.over {
		return
	}
	deadline, ok := c.ctx.Deadline()
	c.finish(endError(end, ok && !time.Now().Before(deadline)))
}

// abandon ends a call whose context is done.
func (c *call) abandon() { c.conn.Do(func() { c.giveUp(contextError(c.ctx)) }) }

// giveUp ends the call for a reason of ours. What it had received is dropped: the
// caller hears the reason at once.
func (c *call) giveUp(err error) {
	if !c.over {
		c.held, c.taken = nil, 0
		c.finish(err)
	}
}

// cancel lets go of the call, and ends it if it has not ended.
func (c *call) cancel() {
	c.stop()
	c.conn.Do(func() { c.giveUp(&greet.Error{Code: greet.CodeCanceled, Message: "the call was closed"}) })
}

// send sends a message, and waits until the server's windows and the socket have
// taken it. io.EOF says that the call has ended.
func (c *call) send(m proto.Message) error {
	raw, err := appendMessage(nil, m)
	if err != nil {
		c.conn.Do(func() { c.giveUp(err) })
		return err
	}
	c.conn.Do(func() {
		if !c.over && c.stream != nil {
			c.stream.Write(raw, false)
		}
	})
	for {
		var blocked, over bool
		c.conn.Do(func() {
			over = c.over || c.stream == nil
			blocked = !over && c.stream.Blocked()
		})
		switch {
		case over:
			return io.EOF
		case !blocked:
			return nil
		}
		<-c.goOn
	}
}

// closeSend half-closes.
func (c *call) closeSend() {
	c.conn.Do(func() {
		if !c.over && c.stream != nil {
			c.stream.Write(nil, true)
		}
	})
}

// receive waits for the next message. io.EOF says that the call has ended well.
func (c *call) receive(m proto.Message) error {
	for {
		var ok bool
		var err error
		c.conn.Do(func() { ok, err = c.take(m) })
		if ok || err != nil {
			return err
		}
		<-c.arrived
	}
}

// take takes a message from what is held, if there is a whole one, or says how the
// call ended.
func (c *call) take(m proto.Message) (ok bool, err error) {
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
		return false, &greet.Error{Code: greet.CodeInternal, Message: "the response ends within a message"}
	}
	return false, io.EOF
}
