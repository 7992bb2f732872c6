package grpcgo

import (
	"context"
	"testing"

	"google.golang.org/grpc/metadata"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// listening tells what a call says of compression.
type listening struct {
	service
	accepts chan []string
}

func (l listening) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	l.accepts <- metadata.ValueFromIncomingContext(ctx, "grpc-accept-encoding")
	return greet.Greet(req), nil
}

// TestGzipStackLeavesOthersAlone calls with and without gzip from one process.
func TestGzipStackLeavesOthersAlone(t *testing.T) {
	s := listening{accepts: make(chan []string, 1)}
	name := of(stack.H2C, gzipVariant).Name
	server := start(t, func(ctx context.Context, socket listen.Socket) error {
		return newServer(s, stack.ServeOptions{}, serverCompression(name)...).Run(ctx, socket)
	})
	plainServer := start(t, func(ctx context.Context, socket listen.Socket) error {
		return NewServerOf(s, stack.ServeOptions{}).Run(ctx, socket)
	})
	for _, test := range []struct {
		addr string
		from stack.Stack
		want int // encodings that the client says it accepts
	}{
		{server.addr, of(stack.H2C, gzipVariant), 1},
		{plainServer.addr, of(stack.H2C), 0},
	} {
		c, err := test.from.Dial(test.addr, stack.DialOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Greet(soon(t), &greetv1.GreetRequest{Name: "x"}); err != nil {
			t.Fatal(err)
		}
		if got := <-s.accepts; len(got) != test.want {
			t.Errorf("client of %s accepts %q, want %d encodings", test.from.Name, got, test.want)
		}
	}
}
