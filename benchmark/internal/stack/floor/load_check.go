package floor

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Unary says what a driver calls: Greet, with one name.
type Unary struct {
	Name string
}

// endpoint is the server that a driver calls, with the request and the right reply.
type endpoint struct {
	addr    string
	request *greetv1.GreetRequest
	want    string
	opened  *atomic.Int64
}

func newEndpoint(addr string, call Unary) (endpoint, error) {
	req := &greetv1.GreetRequest{Name: call.Name}
	if size := proto.Size(req); size > stack.MaxMessageBytes {
		return endpoint{}, fmt.Errorf("drive %s: %w", addr, tooLarge("send", int64(size)))
	}
	return endpoint{addr: addr, request: req, want: greet.Hello(call.Name), opened: new(atomic.Int64)}, nil
}

// Connections is how many connections were opened so far.
func (e endpoint) Connections() int64 { return e.opened.Load() }

// dial opens and counts a connection.
func (e endpoint) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	nc, err := dialer.DialContext(ctx, "tcp", e.addr)
	if err == nil {
		e.opened.Add(1)
	}
	return nc, err
}

// check unmarshals a reply into res and compares it with the right one.
func (e endpoint) check(raw []byte, res *greetv1.GreetResponse) error {
	if err := unmarshal(raw, res); err != nil {
		return err
	}
	return calls.CheckReply("Greet", res.GetGreeting(), e.want)
}

// outcome is how a call ended.
func outcome(err error) load.Outcome {
	if err == nil {
		return load.Outcome{Sent: 1, Received: 1}
	}
	return calls.Failed(err)
}
