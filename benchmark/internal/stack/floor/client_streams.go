package floor

import (
	"errors"
	"io"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
)

// receiveOnly receives the one response of a call, and its status.
func (c *clientCall) receiveOnly(res proto.Message) error {
	switch err := c.receive(res); {
	case errors.Is(err, io.EOF):
		return &greet.Error{Code: greet.CodeInternal, Message: "the server ended the call without a response"}
	case err != nil:
		return err
	}
	extra := res.ProtoReflect().New().Interface()
	switch err := c.receive(extra); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return &greet.Error{Code: greet.CodeInternal, Message: "the server sent more than one response"}
}

type greetStream struct{ *clientCall }

// Receive returns the next greeting.
func (s *greetStream) Receive() (*greetv1.GreetStreamResponse, error) {
	res := new(greetv1.GreetStreamResponse)
	if err := s.receive(res); err != nil {
		s.stop()
		return nil, err
	}
	return res, nil
}

// Close ends the call.
func (s *greetStream) Close() error {
	s.cancel()
	return nil
}

type greetCount struct{ *clientCall }

// Send sends one request.
func (s *greetCount) Send(req *greetv1.GreetCountRequest) error { return s.send(req) }

// CloseAndReceive half-closes and waits for the response.
func (s *greetCount) CloseAndReceive() (*greetv1.GreetCountResponse, error) {
	defer s.cancel()
	s.closeSend()
	res := new(greetv1.GreetCountResponse)
	if err := s.receiveOnly(res); err != nil {
		return nil, err
	}
	return res, nil
}

type greetChat struct{ *clientCall }

// Send sends one request.
func (s *greetChat) Send(req *greetv1.GreetChatRequest) error { return s.send(req) }

// CloseSend half-closes.
func (s *greetChat) CloseSend() error {
	s.closeSend()
	return nil
}

// Receive returns the next response.
func (s *greetChat) Receive() (*greetv1.GreetChatResponse, error) {
	res := new(greetv1.GreetChatResponse)
	if err := s.receive(res); err != nil {
		s.stop()
		return nil, err
	}
	return res, nil
}

// Close ends the call.
func (s *greetChat) Close() error {
	s.cancel()
	return nil
}
