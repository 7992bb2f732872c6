package connectgo

import (
	"context"
	"runtime"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// Library is the first part of the names of this package's stacks.
const Library = "connect-go"

// Stacks lists the stacks that are measured.
func Stacks() []stack.Stack {
	return []stack.Stack{
		New(stack.Connect, stack.H1, "proto"),
		New(stack.Connect, stack.H2C, "proto"),
		New(stack.GRPC, stack.H2C, "proto"),
		New(stack.GRPCWeb, stack.H2C, "proto"),
		New(stack.Connect, stack.H2, "proto"),
		New(stack.Connect, stack.H3, "proto"),
	}
}

// New returns the stack for any protocol and transport that package stack names,
// and the codec "proto" or "json". Its server answers in whatever protocol and
// codec it is called; those two decide how its client calls.
func New(protocol, transport, codec string) stack.Stack {
	name := stack.Name{Library: Library, Protocol: protocol, Transport: transport}
	if codec == "json" {
		name.Variants = []string{"json"}
	}
	return stack.Stack{
		Name:      name,
		Language:  "go",
		Libraries: libraries(transport),
		Refuses:   refuses(name),
		Serve: func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
			return listen.ServeHTTP(ctx, socket, NewHandler(o), name.HTTP(o))
		},
		Dial: dial(name),
	}
}

func libraries(transport string) []string {
	list := []string{stack.ModuleVersion("connectrpc.com/connect/v2")}
	if transport == stack.H3 {
		return append(list, stack.ModuleVersion("github.com/quic-go/quic-go"))
	}
	return append(list, "net/http "+runtime.Version())
}

// refuses is the stack's statement of what it cannot carry. It is short: gRPC
// itself asks for HTTP/2, but the trailers that it needs exist in HTTP/1.1 too
// (RFC 9112, section 7.1.2), and net/http has them, so that between connect-go's
// own two ends it runs there in all modes but this one. Other gRPC libraries will
// not follow.
func refuses(n stack.Name) map[greet.Mode]string {
	if n.Transport != stack.H1 {
		return nil
	}
	return map[greet.Mode]string{
		greet.Bidi: "connect-go does not carry bidi over HTTP/1.1, whose clients send all before they receive; use h2c, h2 or h3",
	}
}
