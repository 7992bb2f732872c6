package floor

import (
	"fmt"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/floor/h2"
	"example.com/greet/internal/greet"
)

// flight is one call of a driver. It belongs to a stream and is used again with
// it.
type flight struct {
	intended, begun time.Duration // on the pace's clock
	deadline        time.Duration // on the connection's
	in              assembler
	headed          bool // the response's header has come
	replies         int
	judged          bool  // err says how the call ended
	err             error // nil for success
}

// flightOf returns the call on a stream, which has one from when it is opened.
func flightOf(s *h2.Stream) *flight {
	f, _ := s.State.(*flight)
	return f
}

// meaning is what a header of a response says, as its first or as its last. It is
// worked out once for each block that comes again and again.
type meaning struct {
	first error // nil for a response of gRPC's
	last  error // nil for status OK
}

func meaningOf(h *h2.Header) *meaning {
	if m, ok := h.Parsed.(*meaning); ok {
		return m
	}
	m := &meaning{last: parseStatus(h)}
	switch status := h.Get(":status"); {
	case status != "200":
		m.first = &greet.Error{Code: httpCode(status), Message: "the server answered with HTTP status " + status}
	case !isGRPC(h.Get("content-type")):
		m.first = &greet.Error{Code: greet.CodeUnknown, Message: fmt.Sprintf("the server answered with content of type %q", h.Get("content-type"))}
	}
	h.Parsed = m
	return m
}

// judge notes how the call ended, the first time that something says so.
func (f *flight) judge(err error) {
	if !f.judged {
		f.judged, f.err = true, err
	}
}

// Headers brings the header of a response, or the status of the call.
func (l *lane) Headers(s *h2.Stream, h *h2.Header, end bool) {
	f := flightOf(s)
	m := meaningOf(h)
	if !f.headed && m.first != nil {
		f.judge(m.first)
	}
	f.headed = true
	if end {
		l.status(f, m.last)
		if s.Open() { // the server has answered before it has read the request
			s.Reset(h2.Cancel)
		}
	}
}

// status takes the call's status. Success is status OK and one reply, which was
// found right when it came.
func (l *lane) status(f *flight, err error) {
	if err == nil && (f.replies != 1 || f.in.partial()) {
		err = fmt.Errorf("%w: status OK after %d replies", errWrong, f.replies)
	}
	f.judge(err)
}

// Data brings a piece of the reply.
func (l *lane) Data(s *h2.Stream, p []byte, _ bool) {
	f := flightOf(s)
	s.Consumed(len(p))
	for !f.judged {
		raw, rest, ok, err := f.in.next(p)
		if err == nil && ok {
			f.replies++
			err = l.driver.check(raw, &l.response)
		}
		if err != nil {
			f.judge(err)
		}
		if !ok {
			return
		}
		p = rest
	}
}

// Writable is of no interest: a request is one message.
func (l *lane) Writable(*h2.Stream) {}

// Expired ends a call whose deadline has passed.
func (l *lane) Expired(s *h2.Stream) {
	flightOf(s).judge(&greet.Error{Code: greet.CodeDeadlineExceeded, Message: "the call's deadline has passed"})
	s.Reset(h2.Cancel)
}

// Closed counts a call that has ended, and begins another in its place.
func (l *lane) Closed(s *h2.Stream, end h2.End) {
	f := flightOf(s)
	if !f.judged {
		f.judge(endError(end, s.Conn().Now() >= f.deadline))
	}
	l.inFlight--
	now := l.pace.Now()
	if f.err == nil || !l.quiet {
		l.shard.Add(load.Completion{Intended: f.intended, Begun: f.begun, Ended: now, Outcome: outcome(f.err)})
	}
	f.in.reset()
	*f = flight{in: f.in}
	l.fill(now)
}

// Changed begins calls if there is more room now.
func (l *lane) Changed(*h2.Conn) {
	l.announce()
	if l.pace != nil {
		l.fill(l.pace.Now())
	}
}

// Ended lets drive find another connection.
func (l *lane) Ended(*h2.Conn, error) {
	l.announce()
	l.land()
}

// announce tells connect that the server has said what it allows, or never will.
func (l *lane) announce() {
	select {
	case <-l.greeted:
	default:
		close(l.greeted)
	}
}
