package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	greetv1 "example.com/greet/peers/grpc-go-previous/gen/greet/v1"
)

// maxCount is the most greetings that one GreetStream call may ask for.
const maxCount = 100_000

// greeter implements the service, one method for each mode.
type greeter struct {
	greetv1.UnimplementedGreetServiceServer
}

func (greeter) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: "Hello, " + req.GetName() + "!"}, nil
}

func (greeter) GreetStream(req *greetv1.GreetStreamRequest, stream grpc.ServerStreamingServer[greetv1.GreetStreamResponse]) error {
	if err := checkCount(req.GetCount()); err != nil {
		return err
	}
	for i := range req.GetCount() {
		greeting := "Hello #" + strconv.Itoa(int(i+1)) + ", " + req.GetName() + "!"
		if err := stream.Send(&greetv1.GreetStreamResponse{Greeting: greeting}); err != nil {
			return err
		}
	}
	return nil
}

func (greeter) GreetCount(stream grpc.ClientStreamingServer[greetv1.GreetCountRequest, greetv1.GreetCountResponse]) error {
	var count int32
	for {
		_, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return stream.SendAndClose(&greetv1.GreetCountResponse{Count: count})
		}
		if err != nil {
			return err
		}
		count++
	}
}

func (greeter) GreetChat(stream grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(&greetv1.GreetChatResponse{Greeting: "Hi, " + req.GetName() + "!"}); err != nil {
			return err
		}
	}
}

func checkCount(count int32) error {
	if count >= 0 && count <= maxCount {
		return nil
	}
	text := fmt.Sprintf("count must be between 0 and %d, got %d", maxCount, count)
	refused, err := status.New(codes.InvalidArgument, text).WithDetails(&errdetails.BadRequest{
		FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "count", Description: text}},
	})
	if err != nil {
		return err
	}
	return refused.Err()
}
