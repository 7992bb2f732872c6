package floor

import (
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/stack/floor/h2"
	"example.com/greet/internal/greet"
)

// exchange is one call as the server sees it. It belongs to a stream, and is used
// again with it. There is no goroutine for it: each event of the stream takes it
// on as far as it gets.
type exchange struct {
	peer   *peer
	stream *h2.Stream // nil between calls
	req    *request
	in     assembler
	held   []byte // input that waits until the output has gone
	spare  []byte // what held was before, to be used again
	halted bool   // input is held
	ended  bool   // the client has half-closed
	begun  bool   // the response's header is sent
	over   bool   // the call has its status, or needs none
	got    int32  // messages received
	name   string // of the one request of a mode that has one
	count  int32  // of greetings to send
	sent   int32  // of those
	demo   *demoCall
}

// open begins a call.
func (x *exchange) open(r *request, h *h2.Header, end bool) {
	x.req = r
	x.ended = end
	x.setDeadline(r.timeout)
	if x.peer.options.Demo != nil {
		x.beginDemo(h)
	}
	switch {
	case r.http != "":
		x.refuse(r.http)
	case r.err != nil:
		x.fail(r.err)
	case r.expired:
		x.expire()
	case end:
		x.data(nil, true)
	}
}

func (x *exchange) setDeadline(timeout time.Duration) {
	limit := x.peer.options.CallLimit
	if timeout == 0 || limit > 0 && limit < timeout {
		timeout = limit
	}
	if timeout > 0 {
		x.stream.SetDeadline(x.peer.conn.Now() + timeout)
	}
}

// data takes a piece of the request. Input that comes while output waits is held,
// and not consumed: that is how a client which does not read is made to stop.
func (x *exchange) data(piece []byte, end bool) {
	x.ended = x.ended || end
	switch {
	case x.over:
		x.stream.Consumed(len(piece))
	case x.halted || x.stream.Blocked():
		x.held = append(x.held, piece...)
		x.halted = true
	default:
		x.take(piece)
	}
}

// take serves the messages in a piece of input, as long as their replies go out.
func (x *exchange) take(piece []byte) {
	for !x.over {
		message, rest, ok, err := x.in.next(piece)
		x.stream.Consumed(len(piece) - len(rest))
		if err == nil && ok {
			x.got++
			err = x.message(message)
		}
		switch {
		case err != nil:
			x.fail(err)
		case ok && x.stream.Blocked():
			x.held, x.halted = append(x.held, rest...), true
			return
		case !ok:
			x.halfClosed()
			return
		}
		piece = rest
	}
	x.stream.Consumed(len(piece))
}

// resume goes on with what had to wait for output to go.
func (x *exchange) resume() {
	if x.over {
		return
	}
	if x.halted {
		piece := x.held
		x.held, x.halted = x.spare[:0], false
		x.take(piece)
		x.spare = piece
		return
	}
	if x.req.mode == greet.ServerStream {
		x.greetOn()
	}
}

// halfClosed goes on if the client is done sending.
func (x *exchange) halfClosed() {
	if !x.ended || x.over {
		return
	}
	if x.in.partial() {
		x.fail(&greet.Error{Code: greet.CodeInternal, Message: "the request ends within a message"})
		return
	}
	if err := x.end(); err != nil {
		x.fail(err)
	}
}

// send sends one message of the response, with the header before the first.
func (x *exchange) send(m proto.Message) error {
	p := x.peer
	var err error
	if p.scratch, err = appendMessage(p.scratch[:0], m); err != nil {
		return err
	}
	x.header()
	x.stream.Write(p.scratch, false)
	if x.demo != nil {
		x.demo.call.Sent()
	}
	if cap(p.scratch) > largestKept {
		p.scratch = nil
	}
	return nil
}

func (x *exchange) header() {
	if !x.begun {
		x.begun = true
		x.stream.Headers(x.peer.begin, x.demo.header(), false)
	}
}

// finish ends the call well.
func (x *exchange) finish() {
	x.header()
	x.over = true
	x.demo.end(nil)
	x.stream.Headers(x.peer.ok, x.demo.trailer(), true)
	x.stream.Finish()
}

// fail ends the call with an error. A response that has not begun, and has no
// header of its own to send, is one header with everything in it.
func (x *exchange) fail(err error) {
	x.over = true
	x.demo.end(err)
	if x.demo != nil {
		x.header()
	}
	fields := append(statusFields(err), x.demo.trailer()...)
	block := x.peer.begin
	if x.begun {
		block = x.peer.bare
	}
	x.begun = true
	x.stream.Headers(block, fields, true)
	x.stream.Finish()
}

// refuse answers what is not gRPC by the means of HTTP.
func (x *exchange) refuse(status string) {
	x.over = true
	x.stream.Headers(h2.NewBlock(h2.Field{Name: ":status", Value: status, Sensitive: true}), nil, true)
	x.stream.Finish()
}

// expire ends the call at its deadline. If output waits, the client does not read
// and would not read a status either.
func (x *exchange) expire() {
	switch {
	case x.over && !x.stream.Blocked():
	case x.stream.Blocked():
		x.over = true
		x.stream.Reset(h2.Cancel)
	default:
		x.fail(&greet.Error{Code: greet.CodeDeadlineExceeded, Message: "the call's deadline has passed"})
	}
}

// closed makes the exchange ready for another call.
func (x *exchange) closed(end h2.End) {
	if !x.over {
		x.demo.end(endCause(end))
	}
	x.in.reset()
	if cap(x.spare) > largestKept {
		x.spare = nil
	}
	*x = exchange{peer: x.peer, in: x.in, spare: x.spare}
}
