package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/load"
	"example.com/greet/internal/result"
	"example.com/greet/internal/stack"
)

// edge is how much of each end of a large reply is compared.
const edge = 64

// largeReply is the length from which a reply is checked by its length and its
// edges: comparing all of it would cost the client a pass over memory that no
// real client makes.
const largeReply = 64 << 10

// unaryCall returns a call that greets name over client and checks the reply.
// The request is shared by all calls in flight; marshalling does not change it.
func unaryCall(client stack.Client, name string) load.Call {
	req, want := &greetv1.GreetRequest{Name: name}, greet.Hello(name)
	return func(ctx context.Context, _ int) load.Outcome {
		res, err := client.Greet(ctx, req)
		switch {
		case err != nil:
			return failure(err)
		case !matches(res.GetGreeting(), want):
			return wrongReply("Greet", res.GetGreeting(), want)
		}
		return load.Outcome{Sent: 1, Received: 1}
	}
}

// chatCall returns a call that is one chat of the given number of messages, sent
// and received at once, each reply checked.
func chatCall(client stack.Client, name string, messages int) load.Call {
	req, want := &greetv1.GreetChatRequest{Name: name}, greet.Hi(name)
	return func(ctx context.Context, _ int) load.Outcome {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		chat, err := client.GreetChat(ctx)
		if err != nil {
			return failure(err)
		}
		defer chat.Close()
		sent := make(chan error, 1)
		go func() { sent <- sendAll(chat, req, messages) }()
		outcome := receiveAll(chat, want, messages)
		if outcome.Code != "" {
			cancel() // frees a sender that flow control holds
		}
		if err := <-sent; err != nil && outcome.Code == "" {
			return failure(err)
		}
		return outcome
	}
}

func sendAll(chat stack.GreetChat, req *greetv1.GreetChatRequest, messages int) error {
	for range messages {
		if err := chat.Send(req); err != nil {
			return err
		}
	}
	return chat.CloseSend()
}

// receiveAll receives until the stream ends. A stream that ends cleanly after too
// few or too many messages is a wrong reply, however it looks.
func receiveAll(chat stack.GreetChat, want string, messages int) load.Outcome {
	for received := 0; ; received++ {
		res, err := chat.Receive()
		switch {
		case errors.Is(err, io.EOF) && received == messages:
			return load.Outcome{Sent: int64(messages), Received: int64(messages)}
		case errors.Is(err, io.EOF):
			return wrongReply("GreetChat", fmt.Sprintf("end after %d messages", received), fmt.Sprintf("%d messages", messages))
		case err != nil:
			return failure(err)
		case !matches(res.GetGreeting(), want):
			return wrongReply("GreetChat", res.GetGreeting(), want)
		}
	}
}

func matches(got, want string) bool {
	if len(got) != len(want) || len(want) < largeReply {
		return got == want
	}
	return got[:edge] == want[:edge] && got[len(got)-edge:] == want[len(want)-edge:]
}

func failure(err error) load.Outcome {
	return load.Outcome{Code: greet.CodeOf(err).String(), Text: err.Error()}
}

func wrongReply(method, got, want string) load.Outcome {
	return load.Outcome{
		Code: result.WrongReplyCode,
		Text: fmt.Sprintf("%s: got %s, want %s", method, abridged(got), abridged(want)),
	}
}

// abridged quotes a text of which only the edges fit a line.
func abridged(s string) string {
	if len(s) <= 2*edge {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…%q (%d bytes)", s[:edge/2], s[len(s)-edge/2:], len(s))
}
