package floor

import (
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/stack"
)

// loadWire is how the calls of a driver look on an HTTP/2 connection: what a protocol
// puts around messages, and how it says that a call has ended. Values of it have no
// state.
type loadWire interface {
	// fields are those of the request's header that are about the protocol.
	fields(timeout time.Duration) []h2.Field
	// prefixed says whether messages have gRPC's prefix.
	prefixed() bool
	// headers takes the header of a response, or its trailer.
	headers(c *loadConn, s *h2.Stream, call *loadCall, h *h2.Header, end bool)
	// data takes a piece of the response's body.
	data(c *loadConn, s *h2.Stream, call *loadCall, p []byte, end bool)
}

// wireOf returns the wire of calls of the protocol.
func wireOf(protocol string, work *loadWork) loadWire {
	switch {
	case protocol == stack.Connect && work.unary():
		return connectUnaryWire{}
	case protocol == stack.Connect:
		return connectStreamWire{}
	}
	return grpcWire{}
}

// grpcWire is gRPC
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
type grpcWire struct{}

func (grpcWire) fields(timeout time.Duration) []h2.Field {
	return append(grpcFields, h2.Field{Name: "grpc-timeout", Value: formatTimeout(timeout)})
}

func (grpcWire) prefixed() bool { return true }

// grpcMeaning is what a response's header says, both as the first and as the last
// header of a call. It is computed once for a block that repeats.
type grpcMeaning struct {
	first error // nil if a gRPC response begins
	last  error // nil for status OK
}

func grpcMeaningOf(h *h2.Header) *grpcMeaning {
	if m, ok := h.Parsed.(*grpcMeaning); ok {
		return m
	}
	m := &grpcMeaning{last: parseStatus(h)}
	switch status := h.Get(":status"); {
	case status != "200":
		m.first = httpError(status)
	case !isGRPC(h.Get("content-type")):
		m.first = typeError(h.Get("content-type"))
	}
	h.Parsed = m
	return m
}

func (grpcWire) headers(c *loadConn, s *h2.Stream, call *loadCall, h *h2.Header, end bool) {
	m := grpcMeaningOf(h)
	if !call.headed && m.first != nil {
		call.judge(m.first)
	}
	call.headed = true
	switch {
	case !end:
	case m.last == nil && call.in.partial():
		c.ended(s, call, errPartial)
	default:
		c.ended(s, call, m.last)
	}
}

var errPartial = &greet.Error{Code: greet.CodeInternal, Message: "the response ends within a message"}

func (grpcWire) data(c *loadConn, s *h2.Stream, call *loadCall, p []byte, _ bool) {
	for !call.judged {
		raw, rest, ok, err := call.in.next(p)
		switch {
		case err != nil:
			c.failed(s, call, err)
		case !ok:
			return
		default:
			c.reply(s, call, raw)
		}
		p = rest
	}
}
