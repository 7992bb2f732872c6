package floor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Unary is what a driver calls: Greet, with one name.
type Unary struct {
	Name string
}

// asked is whom a driver asks and for what, and the right answer.
type asked struct {
	addr    string
	request *greetv1.GreetRequest
	want    string
	opened  *atomic.Int64
}

func ask(addr string, call Unary) (asked, error) {
	req := &greetv1.GreetRequest{Name: call.Name}
	if size := proto.Size(req); size > stack.MaxMessageBytes {
		return asked{}, fmt.Errorf("drive %s: %w", addr, tooLarge("send", size))
	}
	return asked{addr: addr, request: req, want: greet.Hello(call.Name), opened: new(atomic.Int64)}, nil
}

// Connections is how many connections were opened so far.
func (a asked) Connections() int64 { return a.opened.Load() }

// dial opens and counts a connection.
func (a asked) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	nc, err := dialer.DialContext(ctx, "tcp", a.addr)
	if err == nil {
		a.opened.Add(1)
	}
	return nc, err
}

// edge and largeReply say how replies are checked, as the generic driver's are: a
// large one by its length and its edges, any other in full.
const (
	edge       = 64
	largeReply = 64 << 10
)

// codeWrongReply is the code under which a wrong reply is counted.
const codeWrongReply = "wrong_reply"

var errWrong = errors.New("wrong reply")

// check unmarshals a reply into res, and compares it with the right one.
func (a asked) check(raw []byte, res *greetv1.GreetResponse) error {
	if err := unmarshal(raw, res); err != nil {
		return err
	}
	if got := res.GetGreeting(); !a.right(got) {
		return fmt.Errorf("%w: Greet: got %s, want %s", errWrong, abridged(got), abridged(a.want))
	}
	return nil
}

func (a asked) right(got string) bool {
	if len(got) != len(a.want) || len(got) < largeReply {
		return got == a.want
	}
	return got[:edge] == a.want[:edge] && got[len(got)-edge:] == a.want[len(a.want)-edge:]
}

// abridged quotes the beginning of a text.
func abridged(s string) string {
	if len(s) > edge {
		return fmt.Sprintf("%q… (%d bytes)", s[:edge], len(s))
	}
	return fmt.Sprintf("%q", s)
}

// outcome is how a call ended.
func outcome(err error) load.Outcome {
	switch {
	case err == nil:
		return load.Outcome{Sent: 1, Received: 1}
	case errors.Is(err, errWrong):
		return load.Outcome{Code: codeWrongReply, Text: err.Error()}
	}
	return load.Outcome{Code: greet.CodeOf(err).String(), Text: err.Error()}
}
