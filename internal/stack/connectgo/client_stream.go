package connectgo

import (
	"context"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
)

type greetStream struct {
	stream   greetv1connect.GreetServiceGreetStreamClientStream
	metadata metadata
}

func (s *greetStream) Receive() (*greetv1.GreetStreamResponse, error) {
	res, err := s.stream.Receive()
	if err != nil {
		s.metadata.read()
		return nil, streamError(err)
	}
	return res, nil
}

// Close closes the body of the response, which tells the server that nobody reads on. It ignores
// the error, which only says that the stream was cut.
func (s *greetStream) Close() error {
	_ = s.stream.Close()
	return nil
}

type greetCount struct {
	stream   greetv1connect.GreetServiceGreetCountClientStream
	metadata metadata
}

func (s *greetCount) Send(req *greetv1.GreetCountRequest) error {
	if err := s.stream.Send(req); err != nil {
		return streamError(err)
	}
	return nil
}

func (s *greetCount) CloseAndReceive() (*greetv1.GreetCountResponse, error) {
	res, err := s.stream.CloseAndReceive()
	s.metadata.read()
	if err != nil {
		return nil, callError(err)
	}
	return res, nil
}

type greetChat struct {
	stream   greetv1connect.GreetServiceGreetChatClientStream
	metadata metadata
	cancel   context.CancelFunc
}

func (s *greetChat) Send(req *greetv1.GreetChatRequest) error {
	if err := s.stream.Send(req); err != nil {
		return streamError(err)
	}
	return nil
}

func (s *greetChat) CloseSend() error {
	if err := s.stream.CloseSend(); err != nil {
		return callError(err)
	}
	return nil
}

func (s *greetChat) Receive() (*greetv1.GreetChatResponse, error) {
	res, err := s.stream.Receive()
	if err != nil {
		s.metadata.read()
		s.cancel()
		return nil, streamError(err)
	}
	return res, nil
}

// Close cancels the call. The stream's own Close would half-close first, which
// tells the server that all is well, and then wait for response headers that a
// server may send no sooner than its first message.
func (s *greetChat) Close() error {
	s.cancel()
	return nil
}
