package stack

import (
	"context"

	greetv1 "example.com/greet/gen/greet/v1"
)

// Client calls one server. It is safe for concurrent use; its streams are not,
// except that one goroutine may send while another receives.
//
// Every error of a call, of whatever library, is a *greet.Error, except io.EOF
// where a method says so.
type Client interface {
	// Greet makes a unary call.
	Greet(context.Context, *greetv1.GreetRequest) (*greetv1.GreetResponse, error)
	// GreetStream makes a server streaming call.
	GreetStream(context.Context, *greetv1.GreetStreamRequest) (GreetStream, error)
	// GreetCount opens a client streaming call.
	GreetCount(context.Context) (GreetCount, error)
	// GreetChat opens a bidirectional streaming call.
	GreetChat(context.Context) (GreetChat, error)
	// Connections is how many connections the client has opened so far, counted
	// where they are dialled.
	Connections() int64
	// Close ends the client's connections. No call may be in flight.
	Close() error
}

// GreetStream is the client's half of a server streaming call.
type GreetStream interface {
	// Receive returns the next greeting, or io.EOF after the last.
	Receive() (*greetv1.GreetStreamResponse, error)
	// Close ends the call early if it has not ended; it may be called twice.
	Close() error
}

// GreetCount is the client's half of a client streaming call.
type GreetCount interface {
	// Send sends one request. io.EOF means that the server has ended the call;
	// CloseAndReceive says how.
	Send(*greetv1.GreetCountRequest) error
	// CloseAndReceive half-closes and waits for the response.
	CloseAndReceive() (*greetv1.GreetCountResponse, error)
}

// GreetChat is the client's half of a bidirectional streaming call.
type GreetChat interface {
	// Send sends one request. io.EOF means that the server has ended the call;
	// Receive says how.
	Send(*greetv1.GreetChatRequest) error
	// CloseSend half-closes: no more requests will come.
	CloseSend() error
	// Receive returns the next response, or io.EOF when the server has ended the
	// stream cleanly.
	Receive() (*greetv1.GreetChatResponse, error)
	// Close ends the call early if it has not ended; it may be called twice.
	Close() error
}
