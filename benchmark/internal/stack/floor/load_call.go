package floor

import (
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

// loadCall is one call of a driver. It belongs to a stream and is reused with it.
type loadCall struct {
	work            *loadWork
	intended, begun time.Duration // on the pace's clock
	deadline        time.Duration // on the connection's
	sent, replies   int           // messages
	note            *calls.Note   // nil if nothing is noted within calls
	in              assembler
	headed          bool        // the response's header has come
	head            connectHead // of a unary call of Connect
	lastSeen        bool        // the message that ends a stream of Connect has come, with last
	last            error
	judged          bool  // the call has ended, with err
	err             error // nil for success
}

// loadCallOf returns the call on a stream. Every stream has one from its opening.
func loadCallOf(s *h2.Stream) *loadCall {
	call, _ := s.State.(*loadCall)
	return call
}

// judge notes how the call ended. Only the first call counts.
func (call *loadCall) judge(err error) {
	if !call.judged {
		call.judged, call.err = true, err
	}
}

// failed ends a call that cannot succeed any more.
func (c *loadConn) failed(s *h2.Stream, call *loadCall, err error) {
	call.judge(err)
	s.Reset(h2.Cancel)
}

// ended ends a call that the server has ended, with err or with nil for success.
func (c *loadConn) ended(s *h2.Stream, call *loadCall, err error) {
	call.judge(call.work.end(err, call.replies))
	if s.Open() { // the server has answered before it has read the request
		s.Reset(h2.Cancel)
	}
}

// send sends the requests of a call, until the last, or until one has to wait for a
// reply or for the connection.
func (c *loadConn) send(s *h2.Stream, call *loadCall) {
	work := call.work
	for call.sent < work.requests && s.Open() && !s.Blocked() {
		if work.inTurn && call.sent > call.replies {
			return
		}
		c.record.InFlight.Sending()
		call.note.Sending(c.pace)
		request := work.request(&c.messages, call.sent)
		last := call.sent == work.requests-1 && !work.inTurn
		if err := c.sender.send(s, request, proto.Size(request), c.wire.prefixed(), last); err != nil {
			c.failed(s, call, err)
			return
		}
		call.sent++
	}
	if work.inTurn && call.replies == work.requests {
		s.Write(nil, true)
	}
}

// reply checks a message of the response.
func (c *loadConn) reply(s *h2.Stream, call *loadCall, raw []byte) {
	work := call.work
	err := work.check(&c.messages, raw, call.replies)
	if err == nil && call.sent < work.needed(call.replies) {
		err = work.wrong("a reply", "none before its request")
	}
	if err != nil {
		c.failed(s, call, err)
		return
	}
	call.replies++
	c.record.InFlight.Answered()
	call.note.Received(c.pace, call.replies)
	if work.inTurn {
		c.send(s, call)
	}
}

// Headers takes the header of a response, or its trailer.
func (c *loadConn) Headers(s *h2.Stream, h *h2.Header, end bool) {
	c.wire.headers(c, s, loadCallOf(s), h, end)
}

// Data takes a piece of the response.
func (c *loadConn) Data(s *h2.Stream, p []byte, end bool) {
	s.Consumed(len(p))
	c.wire.data(c, s, loadCallOf(s), p, end)
}

// Writable goes on to send.
func (c *loadConn) Writable(s *h2.Stream) { c.send(s, loadCallOf(s)) }

// Expired ends a call whose deadline has passed.
func (c *loadConn) Expired(s *h2.Stream) {
	c.failed(s, loadCallOf(s), &greet.Error{Code: greet.CodeDeadlineExceeded, Message: "the call's deadline has passed"})
}

// Closed counts a call that has ended, and begins another in its place.
func (c *loadConn) Closed(s *h2.Stream, end h2.End) {
	call := loadCallOf(s)
	if !call.judged {
		call.judge(endError(end, s.Conn().Now() >= call.deadline))
	}
	c.inFlight--
	now := c.pace.Now()
	if call.err == nil || !c.canceled {
		c.shard.Add(load.Completion{Intended: call.intended, Begun: call.begun, Ended: now, Outcome: c.outcome(call)})
	}
	c.notes.End(call.note, call.err == nil)
	call.in.reset()
	*call = loadCall{in: call.in}
	c.fill(now)
}

// outcome is how a call ended.
func (c *loadConn) outcome(call *loadCall) load.Outcome {
	if call.err != nil {
		return calls.Failed(call.err)
	}
	return load.Outcome{Sent: int64(call.sent), Received: int64(call.replies)}
}

// Changed begins calls if there is more room now.
func (c *loadConn) Changed(*h2.Conn) {
	c.announce()
	if c.pace != nil {
		c.fill(c.pace.Now())
	}
}

// Ended lets drive open another connection.
func (c *loadConn) Ended(*h2.Conn, error) {
	c.announce()
	c.report()
}

// announce tells connect that the server's settings have come, or never will.
func (c *loadConn) announce() {
	select {
	case <-c.greeted:
	default:
		close(c.greeted)
	}
}
