package grpcgo

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// Library is the first part of the names of this package's stacks.
const Library = "grpc-go"

// Stacks lists the stacks that are measured.
func Stacks() []stack.Stack {
	return []stack.Stack{of(stack.H2C)}
}

// Variants lists the stacks that show the price of TLS and of gzip, each beside
// the one of Stacks.
func Variants() []stack.Stack {
	return []stack.Stack{of(stack.H2), of(stack.H2C, gzipVariant)}
}

// Experiments lists stacks that answer one question each, beside the plain one. What do
// interceptors cost? What does it cost to use net/http's HTTP/2? What does each setting do that is
// said to make the library faster?
func Experiments() []stack.Stack {
	stacks := []stack.Stack{of(stack.H2C, serveHTTPVariant)}
	for _, s := range allSettings {
		stacks = append(stacks, of(stack.H2C, s.variant))
	}
	return stacks
}

// New returns the stack that speaks gRPC over transport, or an error that says
// why grpc-go cannot and what would work.
func New(transport string) (stack.Stack, error) {
	if why := Refuses(stack.Name{Library: Library, Protocol: stack.GRPC, Transport: transport}); why != "" {
		return stack.Stack{}, fmt.Errorf("make stack %s/%s/%s: %s", Library, stack.GRPC, transport, why)
	}
	return of(transport), nil
}

// Refuses says why grpc-go cannot carry the name's protocol, transport or variants, and what would
// work. It is empty if grpc-go can.
func Refuses(n stack.Name) string {
	switch {
	case n.Protocol != stack.GRPC:
		return fmt.Sprintf("grpc-go speaks gRPC only; for %s use connect-go", n.Protocol)
	case n.Transport == stack.H1:
		return "grpc-go speaks gRPC over HTTP/2 only; use h2c or h2"
	case n.Transport == stack.H3:
		return "grpc-go has no HTTP/3; use h2c or h2, or connect-go for h3"
	case n.Transport != stack.H2C && n.Transport != stack.H2:
		return fmt.Sprintf("grpc-go knows no transport %q; use h2c or h2", n.Transport)
	case n.Has("json"):
		return "grpc-go has no JSON codec; use proto, or connect-go for json"
	}
	for _, v := range n.Variants {
		if v != gzipVariant && v != serveHTTPVariant && settingsOf(v) == nil {
			return fmt.Sprintf("grpc-go has no variant %q", v)
		}
	}
	return ""
}

func of(transport string, variants ...string) stack.Stack {
	name := stack.Name{Library: Library, Protocol: stack.GRPC, Transport: transport, Variants: variants}
	return stack.Stack{
		Name:      name,
		Language:  "go",
		Libraries: []string{"google.golang.org/grpc v" + grpc.Version},
		Demo:      true,
		Serve: func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
			var err error
			if o.TLS, err = tlsOf(name, o.TLS); err != nil {
				return err
			}
			server := newServer(service{}, o, serverOptions(name)...)
			if name.Has(serveHTTPVariant) {
				return server.runHTTP(ctx, socket, name.HTTP(o))
			}
			return server.Run(ctx, socket)
		},
		Dial: func(addr string, o stack.DialOptions) (stack.Client, error) {
			var err error
			if o.TLS, err = tlsOf(name, o.TLS); err != nil {
				return nil, err
			}
			return dial(addr, o, dialOptions(name)...)
		},
	}
}

var errNoTLS = errors.New("transport h2 runs over TLS, and no TLS settings were given")

// tlsOf returns the settings that the transport uses: config, or nil for a
// transport without TLS.
func tlsOf(n stack.Name, config *tls.Config) (*tls.Config, error) {
	if !n.Secure() {
		return nil, nil
	}
	if config == nil {
		return nil, errNoTLS
	}
	return config, nil
}
