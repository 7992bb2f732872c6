package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// script is what a chat says and hears, message by message.
type script struct {
	requests []*greetv1.GreetChatRequest // each is sent once at a time, and never changed
	want     []string
}

// repeated is a script of one message n times.
func repeated(name string, n int) script {
	s := newScript(n)
	req, want := &greetv1.GreetChatRequest{Name: name}, greet.Hi(name)
	for i := range n {
		s.requests[i], s.want[i] = req, want
	}
	return s
}

// numbered is a script of n messages of size bytes that each carry their number,
// so that a reply tells which message it answers.
func numbered(size, n int) script {
	s := newScript(n)
	padding := strings.Repeat("x", size)
	for i := range n {
		name := (fmt.Sprintf("%07d-", i) + padding)[:size]
		s.requests[i], s.want[i] = &greetv1.GreetChatRequest{Name: name}, greet.Hi(name)
	}
	return s
}

func newScript(n int) script {
	return script{requests: make([]*greetv1.GreetChatRequest, n), want: make([]string, n)}
}

// flight counts the messages of one chat that are on their way: sent, and not
// answered yet.
type flight struct {
	sent     atomic.Int64
	received int64 // by the one goroutine that receives, like the rest
	sum      int64 // of those in flight, counted as each reply comes
	most     int64
}

// sending is to be called before a message is sent, lest its reply be there first.
func (f *flight) sending() { f.sent.Add(1) }

// answered is to be called when a reply has come, which counts as in flight still.
func (f *flight) answered() {
	now := f.sent.Load() - f.received
	f.received++
	f.sum += now
	f.most = max(f.most, now)
}

// chatCall returns a call that is one chat, in which sending and receiving run
// free of each other.
func chatCall(client stack.Client, s script, f *flight) load.Call {
	return func(ctx context.Context, _ int) load.Outcome {
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

func sendAll(chat stack.GreetChat, s script, f *flight) error {
	for _, req := range s.requests {
		f.sending()
		if err := chat.Send(req); err != nil {
			return err
		}
	}
	return chat.CloseSend()
}

func receiveAll(chat stack.GreetChat, s script, f *flight) load.Outcome {
	for i, want := range s.want {
		res, err := chat.Receive()
		if wrong := check("GreetChat", res, err, want, i); wrong.Code != "" {
			return wrong
		}
		f.answered()
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
