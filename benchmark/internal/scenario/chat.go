package scenario

import (
	"context"
	"errors"
	"io"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// script holds the requests of a chat and the right replies, message by message.
type script struct {
	requests []*greetv1.GreetChatRequest // each is sent once at a time, and never changed
	want     []string
}

// newScript is the script of a chat that says the names.
func newScript(names []string) script {
	var s script
	for _, name := range names {
		s.requests = append(s.requests, &greetv1.GreetChatRequest{Name: name})
		s.want = append(s.want, greet.Hi(name))
	}
	return s
}

// chatCall returns a call that is one chat, in which sending and receiving are independent. If f is
// not nil it counts the messages in flight, and only one such call may run at a time.
func chatCall(client stack.Client, s script, f *calls.InFlight) load.Call {
	return func(ctx context.Context, _ int) load.Outcome {
		f := f
		if f == nil {
			f = new(calls.InFlight)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		chat, err := client.GreetChat(ctx)
		if err != nil {
			return failure(err)
		}
		defer chat.Close()
		sent := make(chan error, 1)
		go func() { sent <- sendAll(chat, s, f) }()
		outcome := receiveAll(chat, s, f)
		if outcome.Code != "" {
			cancel() // frees a sender that flow control holds
		}
		if err := <-sent; err != nil && outcome.Code == "" {
			return failure(err)
		}
		return outcome
	}
}

func sendAll(chat stack.GreetChat, s script, f *calls.InFlight) error {
	for _, req := range s.requests {
		f.Sending()
		if err := chat.Send(req); err != nil {
			return err
		}
	}
	return chat.CloseSend()
}

func receiveAll(chat stack.GreetChat, s script, f *calls.InFlight) load.Outcome {
	for i, want := range s.want {
		res, err := chat.Receive()
		if wrong := check("GreetChat", res, err, want, i); wrong.Code != "" {
			return wrong
		}
		if !f.Answered() {
			return wrongReply("GreetChat", "a reply", "none before its request")
		}
	}
	return endOfChat(chat, s)
}

// endOfChat expects the end of the stream, once the client has half-closed.
func endOfChat(chat stack.GreetChat, s script) load.Outcome {
	if _, err := chat.Receive(); !errors.Is(err, io.EOF) {
		return noEnd("GreetChat", err, len(s.want))
	}
	return load.Outcome{Sent: int64(len(s.requests)), Received: int64(len(s.want))}
}
