package bare

import (
	"context"
	"encoding/binary"
	"io"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// greetStream is a server stream, of which so many greetings are to come.
type greetStream struct {
	*turn
	left int32
}

// GreetStream asks for greetings.
func (c *client) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	t, err := c.begin(ctx, greet.ServerStream)
	if err != nil {
		return nil, err
	}
	err = t.send(func(b []byte) []byte { return appendRequest(b, req.GetName(), req.GetCount()) })
	if err != nil {
		t.close()
		return nil, err
	}
	t.sent()
	t.over = req.GetCount() == 0
	return &greetStream{turn: t, left: req.GetCount()}, nil
}

// Receive returns the next greeting.
func (s *greetStream) Receive() (*greetv1.GreetStreamResponse, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	greeting, err := s.receive(s.left == 1)
	if err != nil {
		return nil, err
	}
	s.left--
	return &greetv1.GreetStreamResponse{Greeting: string(greeting)}, nil
}

// Close ends the call.
func (s *greetStream) Close() error {
	s.close()
	return nil
}

// greetCount is a client stream.
type greetCount struct{ *turn }

// GreetCount begins a client stream.
func (c *client) GreetCount(ctx context.Context) (stack.GreetCount, error) {
	t, err := c.begin(ctx, greet.ClientStream)
	if err != nil {
		return nil, err
	}
	return greetCount{t}, nil
}

// Send sends one name. An error of it ends the call.
func (s greetCount) Send(req *greetv1.GreetCountRequest) error {
	err := s.send(func(b []byte) []byte { return appendMessage(b, req.GetName()) })
	if err != nil {
		s.close()
	}
	return err
}

var errCount = &greet.Error{Code: greet.CodeInternal, Message: "the reply is no count"}

// CloseAndReceive sends the end, and waits for the count.
func (s greetCount) CloseAndReceive() (*greetv1.GreetCountResponse, error) {
	defer s.close()
	if err := s.send(appendEnd); err != nil {
		return nil, err
	}
	s.sent()
	count, err := s.receive(true)
	switch {
	case err != nil:
		return nil, err
	case len(count) != prefix:
		return nil, errCount
	}
	return &greetv1.GreetCountResponse{Count: int32(binary.BigEndian.Uint32(count))}, nil
}

// greetChat is a chat. When its context ends, so does its connection: one half of the
// call may wait for what the other does not do any more.
type greetChat struct {
	*turn
	unwatch func() bool
}

// GreetChat begins a chat.
func (c *client) GreetChat(ctx context.Context) (stack.GreetChat, error) {
	t, err := c.begin(ctx, greet.Bidi)
	if err != nil {
		return nil, err
	}
	return greetChat{t, context.AfterFunc(ctx, func() { c.drop(greet.Bidi, t.line) })}, nil
}

// Send sends one name.
func (s greetChat) Send(req *greetv1.GreetChatRequest) error {
	return s.send(func(b []byte) []byte { return appendMessage(b, req.GetName()) })
}

// CloseSend sends the end.
func (s greetChat) CloseSend() error {
	defer s.sent()
	return s.send(appendEnd)
}

// Receive returns the next greeting.
func (s greetChat) Receive() (*greetv1.GreetChatResponse, error) {
	if s.over {
		return nil, io.EOF
	}
	greeting, err := s.receive(false)
	switch {
	case err != nil:
		return nil, err
	case greeting == nil:
		s.over = true
		return nil, io.EOF
	}
	return &greetv1.GreetChatResponse{Greeting: string(greeting)}, nil
}

// Close ends the call.
func (s greetChat) Close() error {
	s.unwatch()
	s.close()
	return nil
}
