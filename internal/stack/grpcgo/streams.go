package grpcgo

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/stack"
)

// call is the common part of the client's half in each streaming mode.
type call[S grpc.ClientStream] struct {
	stream S
	md     *stack.Metadata // nil unless the caller asked for it
	cancel context.CancelFunc
}

// begin opens a stream under a context of its own.
func begin[S grpc.ClientStream](ctx context.Context, open func(context.Context) (S, error)) (call[S], error) {
	md := stack.MetadataFrom(ctx)
	ctx, cancel := context.WithCancel(outgoing(ctx, md))
	stream, err := open(ctx)
	if err != nil {
		cancel()
		return call[S]{}, fromStatus(err)
	}
	return call[S]{stream, md, cancel}, nil
}

// Close cancels the call if it has not ended. Its metadata is not filled then.
func (c *call[S]) Close() error {
	c.cancel()
	return nil
}

// ended releases the call's context, fills its metadata and returns how the call ended. err is the
// error of the last receive: only then has the library the trailers.
func (c *call[S]) ended(err error) error {
	c.cancel()
	if c.md != nil {
		// A call without a header has an error, which the caller gets anyway.
		header, _ := c.stream.Header()
		c.md.ResponseHeader, c.md.ResponseTrailer = httpHeader(header), httpHeader(c.stream.Trailer())
	}
	return orEOF(err)
}

// orEOF keeps io.EOF, with which the library says that a stream has ended, and converts other
// errors.
func orEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return fromStatus(err)
}

type greetStream struct {
	call[grpc.ServerStreamingClient[greetv1.GreetStreamResponse]]
}

func (s *greetStream) Receive() (*greetv1.GreetStreamResponse, error) {
	res, err := s.stream.Recv()
	if err != nil {
		return nil, s.ended(err)
	}
	return res, nil
}

type greetCount struct {
	call[grpc.ClientStreamingClient[greetv1.GreetCountRequest, greetv1.GreetCountResponse]]
}

func (s *greetCount) Send(req *greetv1.GreetCountRequest) error { return orEOF(s.stream.Send(req)) }

func (s *greetCount) CloseAndReceive() (*greetv1.GreetCountResponse, error) {
	res, err := s.stream.CloseAndRecv()
	if err := s.ended(err); err != nil {
		return nil, err
	}
	return res, nil
}

type greetChat struct {
	call[grpc.BidiStreamingClient[greetv1.GreetChatRequest, greetv1.GreetChatResponse]]
}

func (s *greetChat) Send(req *greetv1.GreetChatRequest) error { return orEOF(s.stream.Send(req)) }

func (s *greetChat) CloseSend() error { return fromStatus(s.stream.CloseSend()) }

func (s *greetChat) Receive() (*greetv1.GreetChatResponse, error) {
	res, err := s.stream.Recv()
	if err != nil {
		return nil, s.ended(err)
	}
	return res, nil
}
