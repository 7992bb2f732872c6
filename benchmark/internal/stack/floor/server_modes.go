package floor

import (
	"example.com/greet/internal/greet"
)

// errCardinality ends a call whose mode takes exactly one request and that got another
// number. Its code is that of the list of gRPC's status codes
// (https://grpc.io/docs/guides/status-codes).
var errCardinality = &greet.Error{Code: greet.CodeUnimplemented, Message: "want exactly one request message"}

// message serves one message of the request.
func (c *serverCall) message(raw []byte) error {
	if c.demo != nil {
		c.demo.call.Received()
	}
	conn := c.conn
	switch c.req.mode {
	case greet.Unary:
		if c.got > 1 {
			return errCardinality
		}
		err := unmarshal(raw, &conn.greetRequest)
		c.name = conn.greetRequest.GetName()
		return err
	case greet.ServerStream:
		if c.got > 1 {
			return errCardinality
		}
		err := unmarshal(raw, &conn.streamRequest)
		c.name, c.count = conn.streamRequest.GetName(), conn.streamRequest.GetCount()
		return err
	case greet.ClientStream:
		return unmarshal(raw, &conn.countRequest)
	default:
		return c.chat(raw)
	}
}

// chat answers one request of a chat as it comes.
func (c *serverCall) chat(raw []byte) error {
	conn := c.conn
	if err := unmarshal(raw, &conn.chatRequest); err != nil {
		return err
	}
	conn.chatResponse.Greeting = greet.Hi(conn.chatRequest.GetName())
	return c.send(&conn.chatResponse)
}

// end serves the client's half-close.
func (c *serverCall) end() error {
	conn := c.conn
	switch c.req.mode {
	case greet.Unary:
		if c.got == 0 {
			return errCardinality
		}
		conn.greetResponse.Greeting = greet.Hello(c.name)
		if err := c.send(&conn.greetResponse); err != nil {
			return err
		}
	case greet.ServerStream:
		if c.got == 0 {
			return errCardinality
		}
		if err := greet.CheckCount(c.count); err != nil {
			return err
		}
		c.sendGreetings()
		return nil
	case greet.ClientStream:
		conn.countResponse.Count = c.got
		if err := c.send(&conn.countResponse); err != nil {
			return err
		}
	}
	c.finish()
	return nil
}

// sendGreetings sends the greetings of a server stream, until one has to wait. When
// that has gone, resume calls it again.
func (c *serverCall) sendGreetings() {
	conn := c.conn
	for c.sent < c.count {
		if c.stream.Blocked() {
			return
		}
		c.sent++
		conn.streamResponse.Greeting = greet.NumberedHello(c.sent, c.name)
		if err := c.send(&conn.streamResponse); err != nil {
			c.fail(err)
			return
		}
	}
	c.finish()
}
