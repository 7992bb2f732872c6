package floor

import (
	"example.com/greet/internal/greet"
)

// errCardinality is the error of a mode that takes one request and got another
// number. Its code is what the list of gRPC's status codes says
// (https://grpc.io/docs/guides/status-codes).
var errCardinality = &greet.Error{Code: greet.CodeUnimplemented, Message: "want exactly one request message"}

// message serves one message of the request.
func (x *exchange) message(raw []byte) error {
	if x.demo != nil {
		x.demo.call.Received()
	}
	p := x.peer
	switch x.req.mode {
	case greet.Unary:
		if x.got > 1 {
			return errCardinality
		}
		err := unmarshal(raw, &p.greetRequest)
		x.name = p.greetRequest.GetName()
		return err
	case greet.ServerStream:
		if x.got > 1 {
			return errCardinality
		}
		err := unmarshal(raw, &p.streamRequest)
		x.name, x.count = p.streamRequest.GetName(), p.streamRequest.GetCount()
		return err
	case greet.ClientStream:
		return unmarshal(raw, &p.countRequest)
	default:
		return x.chat(raw)
	}
}

// chat answers one request of a chat as it comes.
func (x *exchange) chat(raw []byte) error {
	p := x.peer
	if err := unmarshal(raw, &p.chatRequest); err != nil {
		return err
	}
	p.chatResponse.Greeting = greet.Hi(p.chatRequest.GetName())
	return x.send(&p.chatResponse)
}

// end serves the client's half-close.
func (x *exchange) end() error {
	p := x.peer
	switch x.req.mode {
	case greet.Unary:
		if x.got == 0 {
			return errCardinality
		}
		p.greetResponse.Greeting = greet.Hello(x.name)
		if err := x.send(&p.greetResponse); err != nil {
			return err
		}
	case greet.ServerStream:
		if x.got == 0 {
			return errCardinality
		}
		if err := greet.CheckCount(x.count); err != nil {
			return err
		}
		x.greetOn()
		return nil
	case greet.ClientStream:
		p.countResponse.Count = x.got
		if err := x.send(&p.countResponse); err != nil {
			return err
		}
	}
	x.finish()
	return nil
}

// greetOn sends greetings of a server stream until the last, or until one has to
// wait. Then it is called again.
func (x *exchange) greetOn() {
	p := x.peer
	for x.sent < x.count {
		if x.stream.Blocked() {
			return
		}
		x.sent++
		p.streamResponse.Greeting = greet.NumberedHello(x.sent, x.name)
		if err := x.send(&p.streamResponse); err != nil {
			x.fail(err)
			return
		}
	}
	x.finish()
}
