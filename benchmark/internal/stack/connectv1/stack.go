package connectv1

import (
	"context"
	"runtime"

	"connectrpc.com/connect"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// Library is the first part of the names of this package's stacks.
const Library = "connect-go-v1"

// Stacks lists the stacks that are measured.
func Stacks() []stack.Stack {
	h1 := of(stack.H1)
	h1.Refuses = map[greet.Mode]string{
		greet.Bidi: "connect-go refuses bidirectional streams over HTTP/1.1; use h2c",
	}
	return []stack.Stack{h1, of(stack.H2C)}
}

func of(transport string) stack.Stack {
	name := stack.Name{Library: Library, Protocol: stack.Connect, Transport: transport}
	return stack.Stack{
		Name:      name,
		Language:  "go",
		Libraries: []string{"connectrpc.com/connect v" + connect.Version, "net/http " + runtime.Version()},
		Serve: func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
			return listen.ServeHTTP(ctx, socket, newHandler(), name.HTTP(o))
		},
		Dial: func(addr string, o stack.DialOptions) (stack.Client, error) {
			return newClient(transport, addr, o)
		},
	}
}
