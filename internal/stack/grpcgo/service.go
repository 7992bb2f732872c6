package grpcgo

import (
	"context"

	"google.golang.org/grpc"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
)

// service adapts internal/greet to the generated interface.
type service struct {
	greetv1.UnimplementedGreetServiceServer
}

func (service) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return greet.Greet(req), nil
}

func (service) GreetStream(req *greetv1.GreetStreamRequest, stream grpc.ServerStreamingServer[greetv1.GreetStreamResponse]) error {
	return toStatus(greet.Stream(req, stream.Send))
}

func (service) GreetCount(stream grpc.ClientStreamingServer[greetv1.GreetCountRequest, greetv1.GreetCountResponse]) error {
	res, err := greet.Count(stream.Recv)
	if err != nil {
		return toStatus(err)
	}
	return stream.SendAndClose(res)
}

func (service) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	return toStatus(greet.Chat(stream.Recv, stream.Send))
}
