package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// unaryCall returns a call that greets name over client and checks the reply. All calls in flight
// share the request, which marshalling does not change.
func unaryCall(client stack.Client, name string) load.Call {
	req, want := &greetv1.GreetRequest{Name: name}, greet.Hello(name)
	return func(ctx context.Context, _ int) load.Outcome {
		res, err := client.Greet(ctx, req)
		if err == nil {
			err = calls.CheckReply("Greet", res.GetGreeting(), want)
		}
		if err != nil {
			return failure(err)
		}
		return load.Outcome{Sent: 1, Received: 1}
	}
}

// check checks the i-th message of a stream, counted from 0, or the error in its place. A stream
// that ends cleanly after too few messages is a wrong reply.
func check(method string, res interface{ GetGreeting() string }, err error, want string, i int) load.Outcome {
	switch {
	case errors.Is(err, io.EOF):
		return wrongReply(method, fmt.Sprintf("end after %d messages", i), fmt.Sprintf("message %d", i+1))
	case err == nil:
		err = calls.CheckReply(method, res.GetGreeting(), want)
	}
	if err != nil {
		return failure(err)
	}
	return load.Outcome{}
}

// noEnd returns the outcome for a stream that did not end after its last message.
func noEnd(method string, err error, messages int) load.Outcome {
	if err != nil {
		return failure(err)
	}
	return wrongReply(method, "a message more", fmt.Sprintf("end after %d messages", messages))
}

func failure(err error) load.Outcome { return calls.Failed(err) }

func wrongReply(method, got, want string) load.Outcome {
	return calls.Failed(&calls.WrongReplyError{Method: method, Got: got, Want: want})
}
