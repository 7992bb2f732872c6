package greet

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	greetv1 "example.com/greet/gen/greet/v1"
)

// MaxCount is the largest count that GreetStream serves. It bounds the work that one small request
// can cause.
const MaxCount = 100_000

// Mode is one of the four ways in which an RPC moves messages.
type Mode string

// The four modes. The values are the words used in results.
const (
	Unary        Mode = "unary"
	ServerStream Mode = "server_stream"
	ClientStream Mode = "client_stream"
	Bidi         Mode = "bidi"
)

// Modes lists the four modes in the order in which they are taught.
var Modes = []Mode{Unary, ServerStream, ClientStream, Bidi}

// Hello is the greeting of the unary mode.
func Hello(name string) string { return "Hello, " + name + "!" }

// NumberedHello is the i-th greeting, counted from 1, of the server streaming mode.
func NumberedHello(i int32, name string) string {
	return "Hello #" + strconv.Itoa(int(i)) + ", " + name + "!"
}

// Hi is the greeting of the bidirectional streaming mode.
func Hi(name string) string { return "Hi, " + name + "!" }

// Greet answers one request: the unary mode.
func Greet(req *greetv1.GreetRequest) *greetv1.GreetResponse {
	return &greetv1.GreetResponse{Greeting: Hello(req.GetName())}
}

// Stream sends the numbered greetings that req asks for: the server streaming
// mode. It returns an *Error when the count is out of range, else the first
// error of send.
func Stream(req *greetv1.GreetStreamRequest, send func(*greetv1.GreetStreamResponse) error) error {
	if err := CheckCount(req.GetCount()); err != nil {
		return err
	}
	for i := range req.GetCount() {
		if err := send(&greetv1.GreetStreamResponse{Greeting: NumberedHello(i+1, req.GetName())}); err != nil {
			return err
		}
	}
	return nil
}

// Count receives until io.EOF and says how many requests came: the client
// streaming mode. Any other error of receive is returned as it is.
func Count(receive func() (*greetv1.GreetCountRequest, error)) (*greetv1.GreetCountResponse, error) {
	var count int32
	for {
		switch _, err := receive(); {
		case errors.Is(err, io.EOF):
			return &greetv1.GreetCountResponse{Count: count}, nil
		case err != nil:
			return nil, err
		}
		count++
	}
}

// Chat answers each request as it comes, in order, until receive returns
// io.EOF: the bidirectional streaming mode. It holds one message at a time, so a
// chat of any length runs in constant memory.
func Chat(receive func() (*greetv1.GreetChatRequest, error), send func(*greetv1.GreetChatResponse) error) error {
	for {
		req, err := receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := send(&greetv1.GreetChatResponse{Greeting: Hi(req.GetName())}); err != nil {
			return err
		}
	}
}

// CheckCount reports whether GreetStream serves count: nil, or an *Error with
// CodeInvalidArgument that says the range and names the field in its details.
func CheckCount(count int32) error {
	if count >= 0 && count <= MaxCount {
		return nil
	}
	text := fmt.Sprintf("count must be between 0 and %d, got %d", MaxCount, count)
	return invalidField("count", text)
}
