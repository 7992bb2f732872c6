package connectv1

import (
	"context"
	"io"
	"net/http"

	"connectrpc.com/connect"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connectv1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// newHandler returns the service as an HTTP handler.
func newHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(greetv1connectv1.NewGreetServiceHandler(service{},
		connect.WithReadMaxBytes(stack.MaxMessageBytes),
		connect.WithSendMaxBytes(stack.MaxMessageBytes),
		// Without constructors the algorithm is removed. Otherwise connect would compress even
		// the smallest message for clients that accept it. grpc-go does not, and the two would
		// not do the same work.
		connect.WithCompression("gzip", nil, nil),
	))
	return mux
}

// service adapts internal/greet to the generated interface.
type service struct{}

func (service) Greet(_ context.Context, req *connect.Request[greetv1.GreetRequest]) (*connect.Response[greetv1.GreetResponse], error) {
	return connect.NewResponse(greet.Greet(req.Msg)), nil
}

func (service) GreetStream(_ context.Context, req *connect.Request[greetv1.GreetStreamRequest], stream *connect.ServerStream[greetv1.GreetStreamResponse]) error {
	return toConnect(greet.Stream(req.Msg, stream.Send))
}

func (service) GreetCount(_ context.Context, stream *connect.ClientStream[greetv1.GreetCountRequest]) (*connect.Response[greetv1.GreetCountResponse], error) {
	res, err := greet.Count(func() (*greetv1.GreetCountRequest, error) { return receive(stream) })
	if err != nil {
		return nil, toConnect(err)
	}
	return connect.NewResponse(res), nil
}

func (service) GreetChat(_ context.Context, stream *connect.BidiStream[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	return toConnect(greet.Chat(stream.Receive, stream.Send))
}

// receive reads a client stream, which works like a bufio.Scanner, in the form of the other
// streams.
func receive[T any](stream *connect.ClientStream[T]) (*T, error) {
	if stream.Receive() {
		return stream.Msg(), nil
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}
