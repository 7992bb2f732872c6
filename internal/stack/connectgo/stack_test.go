package connectgo

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

func TestStacksAreNamed(t *testing.T) {
	var got []string
	for _, s := range Stacks() {
		got = append(got, s.Name.String())
		if s.Language != "go" || len(s.Libraries) == 0 {
			t.Errorf("%s: language %q, libraries %v", s.Name, s.Language, s.Libraries)
		}
	}
	want := []string{
		"connect-go/connect/h1", "connect-go/connect/h2c", "connect-go/grpc/h2c",
		"connect-go/grpcweb/h2c", "connect-go/connect/h2", "connect-go/connect/h3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEveryCombination tries every mode of every protocol, transport and codec,
// and holds the stack to what it says of itself.
func TestEveryCombination(t *testing.T) {
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []string{stack.Connect, stack.GRPC, stack.GRPCWeb} {
		for _, transport := range []string{stack.H1, stack.H2C, stack.H2, stack.H3} {
			for _, codec := range []string{"proto", "json"} {
				s := New(protocol, transport, codec)
				t.Run(s.Name.String(), func(t *testing.T) {
					client := serveStack(t, s, stack.ServeOptions{TLS: listen.ServerTLS(cert)})
					for mode, call := range calls(client) {
						err := call(t.Context())
						if s.Carries(mode) != (err == nil) {
							t.Errorf("%s: says that it carries it: %v; a call: %v", mode, s.Carries(mode), err)
						}
					}
				})
			}
		}
	}
}

// serveStack runs the stack's server and returns its client.
func serveStack(t *testing.T, s stack.Stack, o stack.ServeOptions) stack.Client {
	t.Helper()
	udp := s.Name.Transport == stack.H3
	socket, err := listen.Bind("127.0.0.1:0", !udp, udp)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, socket, o) }()
	trust, err := listen.ClientTLS("", true)
	if err != nil {
		t.Fatal(err)
	}
	client, err := s.Dial(socket.Addr(), stack.DialOptions{TLS: trust})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		cancel()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		_ = socket.Close()
	})
	return client
}

// TestStacksSpeakOneVersion has clients come over another transport than the
// server's.
func TestStacksSpeakOneVersion(t *testing.T) {
	for transport, other := range map[string]string{stack.H1: stack.H2C, stack.H2C: stack.H1} {
		socket, err := listen.Bind("127.0.0.1:0", true, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- New(stack.Connect, transport, "proto").Serve(ctx, socket, stack.ServeOptions{}) }()
		call, done := context.WithTimeout(t.Context(), 5*time.Second)
		if _, err := newClient(t, stack.Connect, other, socket.Addr()).Greet(call, &greetv1.GreetRequest{}); err == nil {
			t.Errorf("a server of %s answered over %s", transport, other)
		}
		done()
		cancel()
		<-served
	}
}

func TestRefusalSaysWhatWouldWork(t *testing.T) {
	why := New(stack.Connect, stack.H1, "proto").Refuses[greet.Bidi]
	for _, want := range []string{"HTTP/1.1", stack.H2C, stack.H2, stack.H3} {
		if !strings.Contains(why, want) {
			t.Errorf("%q does not say %q", why, want)
		}
	}
}
