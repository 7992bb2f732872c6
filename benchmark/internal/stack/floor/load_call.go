package floor

import (
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/floor/h2"
	"example.com/greet/internal/greet"
)

// loadCall is one call of a driver. It belongs to a stream and is reused with it.
type loadCall struct {
	intended, begun time.Duration // on the pace's clock
	deadline        time.Duration // on the connection's
	in              assembler
	headed          bool // the response's header has come
	replies         int
	judged          bool  // the call has ended, with err
	err             error // nil for success
}

// loadCallOf returns the call on a stream. Every stream has one from its opening.
func loadCallOf(s *h2.Stream) *loadCall {
	call, _ := s.State.(*loadCall)
	return call
}

// headerMeaning is what a response header says, both as the first and as the last
// header of a call. It is computed once for a block that repeats.
type headerMeaning struct {
	first error // nil if a gRPC response begins
	last  error // nil for status OK
}

func meaningOf(h *h2.Header) *headerMeaning {
	if m, ok := h.Parsed.(*headerMeaning); ok {
		return m
	}
	m := &headerMeaning{last: parseStatus(h)}
	switch status := h.Get(":status"); {
	case status != "200":
		m.first = &greet.Error{Code: httpCode(status), Message: "the server answered with HTTP status " + status}
	case !isGRPC(h.Get("content-type")):
		m.first = &greet.Error{Code: greet.CodeUnknown, Message: fmt.Sprintf("the server answered with content of type %q", h.Get("content-type"))}
	}
	h.Parsed = m
	return m
}

// judge notes how the call ended. Only the first call counts.
func (call *loadCall) judge(err error) {
	if !call.judged {
		call.judged, call.err = true, err
	}
}

// Headers takes the header of a response, or its trailer with the call's status.
func (c *loadConn) Headers(s *h2.Stream, h *h2.Header, end bool) {
	call := loadCallOf(s)
	m := meaningOf(h)
	if !call.headed && m.first != nil {
		call.judge(m.first)
	}
	call.headed = true
	if end {
		c.status(call, m.last)
		if s.Open() { // the server has answered before it has read the request
			s.Reset(h2.Cancel)
		}
	}
}

// status takes the call's status. Success is status OK and one reply, which Data has
// already compared.
func (c *loadConn) status(call *loadCall, err error) {
	if err == nil && (call.replies != 1 || call.in.partial()) {
		err = &calls.WrongReply{Method: "Greet", Got: fmt.Sprintf("status OK after %d replies", call.replies), Want: "1"}
	}
	call.judge(err)
}

// Data takes a piece of the reply.
func (c *loadConn) Data(s *h2.Stream, p []byte, _ bool) {
	call := loadCallOf(s)
	s.Consumed(len(p))
	for !call.judged {
		raw, rest, ok, err := call.in.next(p)
		if err == nil && ok {
			call.replies++
			err = c.driver.check(raw, &c.response)
		}
		if err != nil {
			call.judge(err)
		}
		if !ok {
			return
		}
		p = rest
	}
}

// Writable does nothing: a request is one message.
func (c *loadConn) Writable(*h2.Stream) {}

// Expired ends a call whose deadline has passed.
func (c *loadConn) Expired(s *h2.Stream) {
	loadCallOf(s).judge(&greet.Error{Code: greet.CodeDeadlineExceeded, Message: "the call's deadline has passed"})
	s.Reset(h2.Cancel)
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
		c.shard.Add(load.Completion{Intended: call.intended, Begun: call.begun, Ended: now, Outcome: outcome(call.err)})
	}
	call.in.reset()
	*call = loadCall{in: call.in}
	c.fill(now)
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
