package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
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

// spread returns a unary call for which each worker keeps to one of the clients. It
// is nil if there are none.
func spread(clients []stack.Client, name string) load.Call {
	if len(clients) == 0 {
		return nil
	}
	calls := make([]load.Call, len(clients))
	for i, client := range clients {
		calls[i] = unaryCall(client, name)
	}
	return func(ctx context.Context, worker int) load.Outcome {
		return calls[worker%len(calls)](ctx, worker)
	}
}

// check says what is wrong with the message that a stream gave as its i-th, counted
// from 0, or with its having given none. A stream that ends cleanly after too few
// messages is a wrong reply, however it looks.
func check(method string, res interface{ GetGreeting() string }, err error, want string, i int) load.Outcome {
	switch {
	case errors.Is(err, io.EOF):
		return wrongReply(method, fmt.Sprintf("end after %d messages", i), want)
	case err != nil:
		return failure(err)
	case !matches(res.GetGreeting(), want):
		return wrongReply(method, res.GetGreeting(), want)
	}
	return load.Outcome{}
}

// noEnd says what is wrong with a stream that gave anything but its end after all
// messages that were due.
func noEnd(method string, err error, messages int) load.Outcome {
	if err != nil {
		return failure(err)
	}
	return wrongReply(method, "a message more", fmt.Sprintf("end after %d messages", messages))
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
