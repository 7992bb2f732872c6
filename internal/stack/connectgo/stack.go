package connectgo

import (
	"context"
	"runtime"

	"connectrpc.com/connect/v2/connectgzip"
	"connectrpc.com/connect/v2/connecthttp"

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

// Variants lists the stacks that show the price of JSON and of gzip, each beside connect/h2c of
// Stacks. JSON over gRPC is left out: other gRPC libraries have no JSON codec, and it costs the
// same.
func Variants() []stack.Stack {
	return []stack.Stack{
		variant(stack.Connect, stack.H2C, "json"),
		variant(stack.Connect, stack.H2C, gzipVariant),
	}
}

// Experiments lists stacks that answer one question each. What do the gRPC protocols cost over
// HTTP/1.1? What is left without HTTP? What does each setting of net/http do for gRPC?
func Experiments() []stack.Stack {
	stacks := []stack.Stack{variant(stack.GRPC, stack.H1), variant(stack.GRPCWeb, stack.H1), inProcess()}
	stacks = append(stacks, Fast()...)
	for _, end := range []string{stack.FastHTTP2Server, stack.FastHTTP2Client} {
		stacks = append(stacks, variant(stack.GRPC, stack.H2C, end))
	}
	for _, t := range tunings {
		stacks = append(stacks, variant(stack.GRPC, stack.H2C, t.variant))
	}
	return stacks
}

// Fast lists the stacks that have package h2http's HTTP/2 in place of net/http's.
func Fast() []stack.Stack {
	return []stack.Stack{
		variant(stack.Connect, stack.H2C, stack.FastHTTP2),
		variant(stack.GRPC, stack.H2C, stack.FastHTTP2),
		variant(stack.GRPCWeb, stack.H2C, stack.FastHTTP2),
		variant(stack.Connect, stack.H2, stack.FastHTTP2),
	}
}

// New returns the stack for any protocol and transport that package stack names, and the codec
// "proto" or "json". They decide how its client calls. Its server answers in whatever protocol and
// codec it is called.
func New(protocol, transport, codec string) stack.Stack {
	if codec == "json" {
		return variant(protocol, transport, codec)
	}
	return variant(protocol, transport)
}

// gzipVariant marks a stack that compresses every message, whatever its size, at both
// ends. connect-go does so by default, except for requests.
const gzipVariant = "gzip"

func variant(protocol, transport string, variants ...string) stack.Stack {
	name := stack.Name{Library: Library, Protocol: protocol, Transport: transport, Variants: variants}
	return stack.Stack{
		Name:      name,
		Language:  "go",
		Libraries: libraries(transport),
		Refuses:   refuses(name),
		Demo:      true,
		Serve: func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
			http := name.HTTP(o)
			http.TuneHTTP2 = serverTuning(name)
			return listen.ServeHTTP(ctx, socket, newHandler(registering(service{}), o, compressors(name)), http)
		},
		Dial: dial(name),
	}
}

// compressors are those that the measured stack n may use. The library's default
// is gzip, also for 13 bytes.
func compressors(n stack.Name) connecthttp.Option {
	if n.Has(gzipVariant) {
		return connecthttp.WithCompressors(connectgzip.New())
	}
	return connecthttp.WithCompressors()
}

func libraries(transport string) []string {
	list := []string{stack.ModuleVersion("connectrpc.com/connect/v2")}
	if transport == stack.H3 {
		return append(list, stack.ModuleVersion("github.com/quic-go/quic-go"))
	}
	return append(list, "net/http "+runtime.Version())
}

// refuses lists the modes that the stack cannot carry. There is only one: gRPC asks for HTTP/2, but
// HTTP/1.1 has the trailers that it needs too (RFC 9112, section 7.1.2), and so does net/http. So
// connect-go's own two ends speak gRPC over HTTP/1.1 in all other modes. Other gRPC libraries do
// not.
func refuses(n stack.Name) map[greet.Mode]string {
	if n.Transport != stack.H1 {
		return nil
	}
	return map[greet.Mode]string{
		greet.Bidi: "connect-go does not carry bidi over HTTP/1.1, whose clients send all before they receive; use h2c, h2 or h3",
	}
}
