package floor

import (
	"encoding/json"
	"strconv"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

// connectFields are those of each Connect request.
func connectFields(contentType string, timeout time.Duration) []h2.Field {
	return []h2.Field{
		{Name: "content-type", Value: contentType},
		{Name: "user-agent", Value: connectAgent},
		{Name: "connect-protocol-version", Value: "1"},
		{Name: "connect-timeout-ms", Value: strconv.FormatInt(connectTimeout(timeout), 10)},
	}
}

// connectMeaning is what the header of a Connect response says. It is computed once
// for a block that repeats.
type connectMeaning struct{ head connectHead }

func connectHeadOf(h *h2.Header) connectHead {
	if m, ok := h.Parsed.(*connectMeaning); ok {
		return m.head
	}
	status, _ := strconv.Atoi(h.Get(":status")) // 0 if it is none, which is no success
	m := &connectMeaning{connectHead{status: status, contentType: h.Get("content-type"), coding: h.Get("content-encoding")}}
	h.Parsed = m
	return m.head
}

// connectUnaryWire is a unary call of Connect: the bodies are the messages
// (https://connectrpc.com/docs/protocol#unary-request).
type connectUnaryWire struct{}

func (connectUnaryWire) fields(timeout time.Duration) []h2.Field {
	return connectFields(connectType, timeout)
}

func (connectUnaryWire) prefixed() bool { return false }

func (w connectUnaryWire) headers(c *loadConn, s *h2.Stream, call *loadCall, h *h2.Header, end bool) {
	if !call.headed {
		call.headed, call.head = true, connectHeadOf(h)
	}
	if end { // with a trailer, or with a header that no body follows
		w.finish(c, s, call, call.in.body)
	}
}

func (w connectUnaryWire) data(c *loadConn, s *h2.Stream, call *loadCall, p []byte, end bool) {
	switch {
	case call.judged:
	case end && len(call.in.body) == 0: // most responses are one piece, which is not copied
		w.finish(c, s, call, p)
	default:
		if err := call.in.collect(p); err != nil {
			c.failed(s, call, err)
		} else if end {
			w.finish(c, s, call, call.in.body)
		}
	}
}

func (connectUnaryWire) finish(c *loadConn, s *h2.Stream, call *loadCall, body []byte) {
	err := connectError(call.head, body)
	if err == nil {
		c.reply(s, call, body)
	}
	c.ended(s, call, err)
}

// connectStreamWire is a stream of Connect: messages have the prefix of gRPC's, and a
// last one says how the call ended
// (https://connectrpc.com/docs/protocol#streaming-response).
type connectStreamWire struct{}

func (connectStreamWire) fields(timeout time.Duration) []h2.Field {
	return connectFields(connectStreamType, timeout)
}

func (connectStreamWire) prefixed() bool { return true }

func (w connectStreamWire) headers(c *loadConn, s *h2.Stream, call *loadCall, h *h2.Header, end bool) {
	if !call.headed {
		call.headed = true
		call.in.allowed = connectEndFlag
		if err := connectHeadOf(h).streamError(); err != nil {
			c.failed(s, call, err)
		}
	}
	if end {
		w.finish(c, s, call)
	}
}

func (w connectStreamWire) data(c *loadConn, s *h2.Stream, call *loadCall, p []byte, end bool) {
	for !call.judged {
		raw, rest, ok, err := call.in.next(p)
		switch {
		case err != nil:
			c.failed(s, call, err)
		case ok && call.lastSeen:
			c.failed(s, call, errAfterLast)
		case ok && call.in.flags() == connectEndFlag:
			call.lastSeen, call.last = true, lastMessageError(raw)
		case ok:
			c.reply(s, call, raw)
		case end:
			w.finish(c, s, call)
			return
		default:
			return
		}
		p = rest
	}
}

// finish takes the end of the response.
func (connectStreamWire) finish(c *loadConn, s *h2.Stream, call *loadCall) {
	switch {
	case call.in.partial():
		c.ended(s, call, errPartial)
	case !call.lastSeen:
		c.ended(s, call, errNoLast)
	default:
		c.ended(s, call, call.last)
	}
}

var (
	errNoLast    = &greet.Error{Code: greet.CodeInternal, Message: "the server ended the stream without a message that says how"}
	errAfterLast = &greet.Error{Code: greet.CodeInternal, Message: "the server sent a message after the last"}
)

// lastMessageError reads the message that ends a stream: nil for success.
func lastMessageError(raw []byte) error {
	var last struct{ Error *connectErrorBody }
	if err := json.Unmarshal(raw, &last); err != nil {
		return &greet.Error{Code: greet.CodeInternal, Message: "read the last message of the stream: " + err.Error()}
	}
	if last.Error == nil {
		return nil
	}
	e := &greet.Error{Code: greet.CodeUnknown}
	last.Error.enter(e)
	return e
}
