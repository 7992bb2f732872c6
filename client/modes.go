package main

import (
	"context"
	"errors"
	"io"
	"iter"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/stack"
)

// The four modes. Each is one call, whatever carries it: HTTP/1.1, HTTP/2 or HTTP/3; Connect, gRPC
// or gRPC-Web; connect-go or grpc-go. Each passes what the server says to say, line by line as it
// comes.

// unary sends one request and gets one response.
func unary(ctx context.Context, server stack.Client, name string, say sayer) error {
	response, err := server.Greet(ctx, &greetv1.GreetRequest{Name: name})
	if err != nil {
		return err
	}
	say("%s", response.GetGreeting())
	return nil
}

// serverStream sends one request and gets many responses. io.EOF says that the
// server has sent its last one and that all went well.
func serverStream(ctx context.Context, server stack.Client, name string, count int32, say sayer) error {
	stream, err := server.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: name, Count: count})
	if err != nil {
		return err
	}
	defer stream.Close() // so that leaving early does not keep the server sending
	for {
		response, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		say("%s", response.GetGreeting())
	}
}

// clientStream sends many requests and gets one response. The server gives it when it knows that no
// more requests will come.
func clientStream(ctx context.Context, server stack.Client, names iter.Seq[string], say sayer) error {
	stream, err := server.GreetCount(ctx)
	if err != nil {
		return err
	}
	for name := range names {
		err := stream.Send(&greetv1.GreetCountRequest{Name: name})
		if errors.Is(err, io.EOF) {
			break // the server has ended the call; CloseAndReceive says why
		}
		if err != nil {
			return err
		}
	}
	response, err := stream.CloseAndReceive()
	if err != nil {
		return err
	}
	say("server counted %s", counted(int(response.GetCount()), "request"))
	return nil
}

// bidi holds a conversation: it says a name, hears the greeting, and only then
// says the next one. Both sides could also talk at the same time.
func bidi(ctx context.Context, server stack.Client, names iter.Seq[string], say sayer) error {
	chat, err := server.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	for name := range names {
		err := chat.Send(&greetv1.GreetChatRequest{Name: name})
		if err != nil && !errors.Is(err, io.EOF) { // after io.EOF, Receive says why
			return err
		}
		response, err := chat.Receive()
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF // the server hung up before we were done
		}
		if err != nil {
			return err
		}
		say("%s", response.GetGreeting())
	}
	if err := chat.CloseSend(); err != nil {
		return err
	}
	// The server, too, has to say that it is done.
	_, err = chat.Receive()
	if err == nil {
		return errors.New("the server greeted once more than it was asked to")
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
