package connectv1

import (
	"context"
	"io"

	"connectrpc.com/connect"

	greetv1 "example.com/greet/gen/greet/v1"
)

// call is the common part of the client's half in each streaming mode.
type call struct {
	md     metadata
	cancel context.CancelFunc
}

// begin makes a context of its own for a stream.
func begin(ctx context.Context) (context.Context, call) {
	ctx, md := withMetadata(ctx)
	ctx, cancel := context.WithCancel(ctx)
	return ctx, call{md, cancel}
}

// ended releases the call's context, fills its metadata and returns how the call ended: err is the
// error of the last receive.
func (c *call) ended(err error) error {
	c.md.fill()
	c.cancel()
	return orEOF(err)
}

type greetStream struct {
	call
	stream *connect.ServerStreamForClient[greetv1.GreetStreamResponse]
}

func (s *greetStream) Receive() (*greetv1.GreetStreamResponse, error) {
	if s.stream.Receive() {
		return s.stream.Msg(), nil
	}
	err := s.stream.Err()
	if err == nil {
		err = io.EOF
	}
	return nil, s.ended(err)
}

// Close cancels the call if it has not ended. Its metadata is not filled then.
func (s *greetStream) Close() error {
	s.cancel()
	// Closing a cancelled stream reports the cancellation, which is no news.
	_ = s.stream.Close()
	return nil
}

type greetCount struct {
	call
	stream *connect.ClientStreamForClient[greetv1.GreetCountRequest, greetv1.GreetCountResponse]
}

func (s *greetCount) Send(req *greetv1.GreetCountRequest) error { return orEOF(s.stream.Send(req)) }

func (s *greetCount) CloseAndReceive() (*greetv1.GreetCountResponse, error) {
	res, err := s.stream.CloseAndReceive()
	if err := s.ended(err); err != nil {
		return nil, err
	}
	return res.Msg, nil
}

type greetChat struct {
	call
	stream *connect.BidiStreamForClient[greetv1.GreetChatRequest, greetv1.GreetChatResponse]
}

func (s *greetChat) Send(req *greetv1.GreetChatRequest) error { return orEOF(s.stream.Send(req)) }

func (s *greetChat) CloseSend() error { return fromConnect(s.stream.CloseRequest()) }

func (s *greetChat) Receive() (*greetv1.GreetChatResponse, error) {
	res, err := s.stream.Receive()
	if err != nil {
		return nil, s.ended(err)
	}
	return res, nil
}

// Close cancels the call if it has not ended. Its metadata is not filled then.
func (s *greetChat) Close() error {
	s.cancel()
	// Closing a cancelled stream reports the cancellation, which is no news.
	_ = s.stream.CloseResponse()
	return nil
}
