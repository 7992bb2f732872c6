package contract

import (
	"context"
	"errors"
	"fmt"
	"io"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// call makes one whole call in the mode with one name, and compares the reply.
// When the call fails, its error is in the chain of what is returned.
func call(ctx context.Context, client stack.Client, m greet.Mode, name string) error {
	switch m {
	case greet.Unary:
		return hello(ctx, client, name)
	case greet.ServerStream:
		return numbered(ctx, client, name, 2)
	case greet.ClientStream:
		return counted(ctx, client, name)
	case greet.Bidi:
		return halfClosed(ctx, client, name)
	}
	return fmt.Errorf("no such mode: %q", m)
}

func hello(ctx context.Context, client stack.Client, name string) error {
	res, err := client.Greet(ctx, &greetv1.GreetRequest{Name: name})
	if err != nil {
		return err
	}
	return wantText(res.GetGreeting(), "Hello, "+name+"!")
}

// numbered reads a stream of count greetings to its end.
func numbered(ctx context.Context, client stack.Client, name string, count int32) error {
	stream, err := client.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: name, Count: count})
	if err != nil {
		return err
	}
	defer stream.Close()
	for i := int32(1); i <= count; i++ {
		res, err := stream.Receive()
		if err != nil {
			return fmt.Errorf("greeting %d of %d: %w", i, count, err)
		}
		if err := wantText(res.GetGreeting(), fmt.Sprintf("Hello #%d, %s!", i, name)); err != nil {
			return fmt.Errorf("greeting %d of %d: %w", i, count, err)
		}
	}
	return wantEnd(stream.Receive)
}

// counted sends the names and compares their number.
func counted(ctx context.Context, client stack.Client, names ...string) error {
	stream, err := client.GreetCount(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		err := stream.Send(&greetv1.GreetCountRequest{Name: name})
		if errors.Is(err, io.EOF) {
			break // CloseAndReceive says why
		}
		if err != nil {
			return err
		}
	}
	res, err := stream.CloseAndReceive()
	if err != nil {
		return err
	}
	if got, want := res.GetCount(), len(names); int(got) != want {
		return fmt.Errorf("got a count of %d, want %d", got, want)
	}
	return nil
}

// halfClosed sends all the names and half-closes before it reads. The server must still send every
// reply.
func halfClosed(ctx context.Context, client stack.Client, names ...string) error {
	chat, err := client.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	for _, name := range names {
		err := chat.Send(&greetv1.GreetChatRequest{Name: name})
		if errors.Is(err, io.EOF) {
			break // Receive says why
		}
		if err != nil {
			return err
		}
	}
	if err := chat.CloseSend(); err != nil {
		return fmt.Errorf("half-close: %w", err)
	}
	for _, name := range names {
		if err := wantHi(chat, name); err != nil {
			return err
		}
	}
	return wantEnd(chat.Receive)
}

// wantHi receives the reply to name.
func wantHi(chat stack.GreetChat, name string) error {
	res, err := chat.Receive()
	if err != nil {
		return fmt.Errorf("reply to %s: %w", short(name), err)
	}
	return wantText(res.GetGreeting(), "Hi, "+name+"!")
}
