package hardening_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"connectrpc.com/connect/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
)

// rude is a service whose handlers, in all four modes, do whatever a test wants,
// and are counted.
type rude struct {
	handle func(context.Context, call) error
	live   atomic.Int64 // handlers running now
	most   atomic.Int64 // handlers that were running at once
}

// call is what a handler can do. Receive is nil in the modes of one request, and
// send in those of one response.
type call struct {
	mode    greet.Mode
	receive func() error
	send    func(text string) error
}

func (r *rude) serve(ctx context.Context, c call) error {
	live := r.live.Add(1)
	defer r.live.Add(-1)
	for most := r.most.Load(); live > most && !r.most.CompareAndSwap(most, live); most = r.most.Load() {
	}
	return r.handle(ctx, c)
}

// sleep is a handler that does nothing until its context ends.
func sleep(ctx context.Context, _ call) error {
	<-ctx.Done()
	return ctx.Err()
}

// attend is a handler that reads what comes until nothing more does, and then
// sleeps. Over HTTP/1.1 only a handler that reads learns of a client that went
// away before it had sent all: net/http looks for the end of a connection once
// the request has been read, and not before. A handler that does not is freed by
// the limit of the call.
func attend(ctx context.Context, c call) error {
	var err error
	for c.receive != nil && err == nil {
		err = c.receive()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return sleep(ctx, c)
}

// connectRude serves rude with connect-go.
type connectRude struct{ *rude }

func (s connectRude) Greet(ctx context.Context, _ *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	err := s.serve(ctx, call{mode: greet.Unary})
	return &greetv1.GreetResponse{}, onConnect(err)
}

func (s connectRude) GreetStream(ctx context.Context, _ *greetv1.GreetStreamRequest, stream greetv1connect.GreetServiceGreetStreamServerStream) error {
	return onConnect(s.serve(ctx, call{mode: greet.ServerStream, send: func(text string) error {
		return stream.Send(&greetv1.GreetStreamResponse{Greeting: text})
	}}))
}

func (s connectRude) GreetCount(ctx context.Context, stream greetv1connect.GreetServiceGreetCountServerStream) (*greetv1.GreetCountResponse, error) {
	err := s.serve(ctx, call{mode: greet.ClientStream, receive: discard(stream.Receive)})
	return &greetv1.GreetCountResponse{}, onConnect(err)
}

func (s connectRude) GreetChat(ctx context.Context, stream greetv1connect.GreetServiceGreetChatServerStream) error {
	return onConnect(s.serve(ctx, call{mode: greet.Bidi, receive: discard(stream.Receive), send: func(text string) error {
		return stream.Send(&greetv1.GreetChatResponse{Greeting: text})
	}}))
}

func onConnect(err error) error {
	if failed, ok := errors.AsType[*greet.Error](err); ok {
		return connect.NewError(connect.Code(failed.Code), failed.Message)
	}
	return err
}

// grpcRude serves rude with grpc-go.
type grpcRude struct {
	greetv1.UnimplementedGreetServiceServer
	*rude
}

func (s grpcRude) Greet(ctx context.Context, _ *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	err := s.serve(ctx, call{mode: greet.Unary})
	return &greetv1.GreetResponse{}, onGRPC(err)
}

func (s grpcRude) GreetStream(_ *greetv1.GreetStreamRequest, stream grpc.ServerStreamingServer[greetv1.GreetStreamResponse]) error {
	return onGRPC(s.serve(stream.Context(), call{mode: greet.ServerStream, send: func(text string) error {
		return stream.Send(&greetv1.GreetStreamResponse{Greeting: text})
	}}))
}

func (s grpcRude) GreetCount(stream grpc.ClientStreamingServer[greetv1.GreetCountRequest, greetv1.GreetCountResponse]) error {
	if err := s.serve(stream.Context(), call{mode: greet.ClientStream, receive: discard(stream.Recv)}); err != nil {
		return onGRPC(err)
	}
	return stream.SendAndClose(&greetv1.GreetCountResponse{})
}

func (s grpcRude) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	return onGRPC(s.serve(stream.Context(), call{mode: greet.Bidi, receive: discard(stream.Recv), send: func(text string) error {
		return stream.Send(&greetv1.GreetChatResponse{Greeting: text})
	}}))
}

func onGRPC(err error) error {
	if failed, ok := errors.AsType[*greet.Error](err); ok {
		return status.Error(codes.Code(failed.Code), failed.Message)
	}
	return err
}

// discard receives a message and drops it.
func discard[T any](receive func() (T, error)) func() error {
	return func() error {
		_, err := receive()
		return err
	}
}
