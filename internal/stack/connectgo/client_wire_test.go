package connectgo

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// TestClientRequest looks at what the client puts on the wire.
func TestClientRequest(t *testing.T) {
	tests := []struct {
		protocol    string
		variant     string
		name        string
		method      string
		contentType string
	}{
		{stack.Connect, "", "x", "POST", "application/proto"},
		{stack.Connect, "json", "x", "POST", "application/json"},
		{stack.Connect, "get", "x", "GET", ""},
		{stack.Connect, "get", strings.Repeat("x", maxGetURLBytes), "POST", "application/proto"},
		{stack.GRPC, "", "x", "POST", "application/grpc"},
		{stack.GRPC, "json", "x", "POST", "application/grpc+json"},
		{stack.GRPCWeb, "", "x", "POST", "application/grpc-web+proto"},
		{stack.GRPCWeb, "json", "x", "POST", "application/grpc-web+json"},
	}
	for _, test := range tests {
		n := stack.Name{Library: Library, Protocol: test.protocol, Transport: stack.H2C}
		if test.variant != "" {
			n.Variants = []string{test.variant}
		}
		t.Run(n.String()+" "+test.method, func(t *testing.T) {
			seen := make(chan *http.Request, 1)
			inner := NewHandler(stack.ServeOptions{})
			c := serveAndDial(t, n, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen <- r.Clone(context.Background())
				inner.ServeHTTP(w, r)
			}))
			res, err := c.Greet(t.Context(), &greetv1.GreetRequest{Name: test.name})
			if err != nil || res.GetGreeting() != greet.Hello(test.name) {
				t.Fatalf("got %v, %v", res, err)
			}
			r := <-seen
			if got := r.Header.Get("Content-Type"); r.Method != test.method || got != test.contentType {
				t.Errorf("got %s with %q, want %s with %q", r.Method, got, test.method, test.contentType)
			}
			for key := range r.Header {
				if strings.HasSuffix(key, "Encoding") && r.Header.Get(key) != "identity" {
					t.Errorf("the client speaks of compression: %s: %s", key, r.Header.Get(key))
				}
			}
		})
	}
}

func TestClientUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	for _, n := range clientNames() {
		t.Run(n.String(), func(t *testing.T) {
			c, err := dial(n)(addr, stack.DialOptions{TLS: &tls.Config{}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, err = c.Greet(t.Context(), &greetv1.GreetRequest{})
			if failed := asFailed(t, err); failed.Code != greet.CodeUnavailable || !strings.Contains(failed.Message, addr) {
				t.Errorf("got %v, want unavailable with %s", failed, addr)
			}
			if got := c.Connections(); got != 0 {
				t.Errorf("connections = %d, want 0", got)
			}
		})
	}
}

// TestClientSendsToEndedCall sends until the server's refusal has come: io.EOF,
// and the reason from the method that receives.
func TestClientSendsToEndedCall(t *testing.T) {
	refusal := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	})
	for _, n := range clientNames() {
		if n.Transport == stack.H1 {
			continue // HTTP/1.1 tells of a refusal only when all has been sent
		}
		t.Run(n.String(), func(t *testing.T) {
			c := serveAndDial(t, n, refusal)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			stream, err := c.GreetCount(ctx)
			for err == nil {
				err = stream.Send(&greetv1.GreetCountRequest{Name: "x"})
			}
			if !errors.Is(err, io.EOF) {
				t.Fatalf("Send = %v, want io.EOF", err)
			}
			_, err = stream.CloseAndReceive()
			if failed := asFailed(t, err); failed.Code != greet.CodePermissionDenied {
				t.Errorf("CloseAndReceive = %v, want permission_denied", failed)
			}
		})
	}
}

func TestClientLimits(t *testing.T) {
	for _, n := range clientNames() {
		t.Run(n.String(), func(t *testing.T) {
			c := serveAndDial(t, n, NewHandler(stack.ServeOptions{}))
			name := strings.Repeat("x", stack.MaxMessageBytes+1)
			_, err := c.Greet(t.Context(), &greetv1.GreetRequest{Name: name})
			if failed := asFailed(t, err); failed.Code != greet.CodeResourceExhausted {
				t.Errorf("got %v, want resource_exhausted", failed)
			}
		})
	}
}
