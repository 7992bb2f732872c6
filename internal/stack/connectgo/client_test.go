package connectgo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// clientNames are all protocols over all transports, in both codecs.
func clientNames() []stack.Name {
	var names []stack.Name
	for _, protocol := range []string{stack.Connect, stack.GRPC, stack.GRPCWeb} {
		for _, transport := range []string{stack.H1, stack.H2C, stack.H2, stack.H3} {
			n := stack.Name{Library: Library, Protocol: protocol, Transport: transport}
			names = append(names, n)
			n.Variants = []string{"json"}
			names = append(names, n)
		}
	}
	return names
}

// serveAndDial serves handler over n's transport and returns a client of it.
func serveAndDial(t *testing.T, n stack.Name, handler http.Handler) stack.Client {
	t.Helper()
	certificate, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	socket, err := listen.Bind("127.0.0.1:0", true, n.Transport == stack.H3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		listen.ServeHTTP(ctx, socket, handler, n.HTTP(stack.ServeOptions{TLS: listen.ServerTLS(certificate)}))
	})
	roots := x509.NewCertPool()
	roots.AddCert(certificate.Leaf)
	c, err := dial(n)(socket.Addr(), stack.DialOptions{TLS: &tls.Config{RootCAs: roots}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		stop()
		serving.Wait()
		socket.Close()
	})
	return c
}

// demoHandler is the real service with a call log.
func demoHandler(t *testing.T) http.Handler {
	log := slog.New(slog.DiscardHandler)
	return NewHandler(stack.ServeOptions{Demo: &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: t.Context().Done()}})
}

// asFailed returns err as the *greet.Error that every failed call returns.
func asFailed(t *testing.T, err error) *greet.Error {
	t.Helper()
	failed, ok := errors.AsType[*greet.Error](err)
	if !ok {
		t.Fatalf("got %v (%T), want a *greet.Error", err, err)
	}
	return failed
}

func TestClientError(t *testing.T) {
	for _, n := range clientNames() {
		t.Run(n.String(), func(t *testing.T) {
			c := serveAndDial(t, n, demoHandler(t))
			stream, err := c.GreetStream(t.Context(), &greetv1.GreetStreamRequest{Count: -1})
			if err == nil {
				_, err = stream.Receive()
			}
			failed := asFailed(t, err)
			if failed.Code != greet.CodeInvalidArgument || !strings.HasPrefix(failed.Message, "count must be between") || failed.Cause == nil {
				t.Errorf("got %#v, want invalid_argument with text and cause", failed)
			}
			want := []proto.Message{&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{
				Field: "count", Description: failed.Message,
			}}}}
			if diff := cmp.Diff(want, failed.Details, protocmp.Transform()); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClientCutStream cuts the connection after two greetings.
func TestClientCutStream(t *testing.T) {
	for _, n := range clientNames() {
		t.Run(n.String(), func(t *testing.T) {
			inner := NewHandler(stack.ServeOptions{})
			c := serveAndDial(t, n, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				inner.ServeHTTP(&cutter{ResponseWriter: w, left: 2}, r)
			}))
			stream, err := c.GreetStream(t.Context(), &greetv1.GreetStreamRequest{Name: "x", Count: 10})
			came := 0
			for err == nil {
				if _, err = stream.Receive(); err == nil {
					came++
				}
			}
			if errors.Is(err, io.EOF) || came > 2 {
				t.Errorf("got %d greetings and then %v, want an error after at most 2", came, err)
			}
			asFailed(t, err)
		})
	}
}

// cutter aborts a response once a number of messages has been flushed.
type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *cutter) Flush() {
	http.NewResponseController(c.ResponseWriter).Flush()
	if c.left--; c.left == 0 {
		panic(http.ErrAbortHandler)
	}
}

// TestClientClose gives up a call in mid-stream: the server's context ends.
func TestClientClose(t *testing.T) {
	open := map[greet.Mode]func(context.Context, stack.Client) (io.Closer, error){
		greet.ServerStream: func(ctx context.Context, c stack.Client) (io.Closer, error) {
			s, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: strings.Repeat("x", 1024), Count: greet.MaxCount})
			if err == nil {
				_, err = s.Receive()
			}
			return s, err
		},
		greet.Bidi: func(ctx context.Context, c stack.Client) (io.Closer, error) {
			s, err := c.GreetChat(ctx)
			if err == nil {
				err = s.Send(&greetv1.GreetChatRequest{Name: "x"})
			}
			if err == nil {
				_, err = s.Receive()
			}
			return s, err
		},
	}
	for _, n := range clientNames() {
		for mode, open := range open {
			if refuses(n)[mode] != "" {
				continue
			}
			t.Run(n.String()+"/"+string(mode), func(t *testing.T) {
				c := serveAndDial(t, n, demoHandler(t))
				ctx := stack.WithMetadata(t.Context(), &stack.Metadata{RequestHeader: http.Header{"Greet-Call-Id": {"mine"}}})
				call, err := open(ctx, c)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := call.Close(); err != nil {
						t.Errorf("Close: %v", err)
					}
				}
				m := &stack.Metadata{RequestHeader: http.Header{"Greet-Saw": {"mine"}}}
				if _, err := c.Greet(stack.WithMetadata(t.Context(), m), &greetv1.GreetRequest{}); err != nil {
					t.Fatal(err)
				}
				if saw := m.ResponseHeader.Get(greet.HeaderSaw); !strings.HasPrefix(saw, "canceled ") {
					t.Errorf("the server saw the call end: %q, want canceled", saw)
				}
			})
		}
	}
}

func TestClientMetadata(t *testing.T) {
	calls := map[string]func(context.Context, stack.Client) error{
		"unary": func(ctx context.Context, c stack.Client) error {
			_, err := c.Greet(ctx, &greetv1.GreetRequest{})
			return err
		},
		"server_stream": func(ctx context.Context, c stack.Client) error {
			s, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Count: 2})
			for err == nil {
				_, err = s.Receive()
			}
			return err
		},
		"server_stream that fails": func(ctx context.Context, c stack.Client) error {
			s, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Count: -1})
			for err == nil {
				_, err = s.Receive()
			}
			return nil
		},
		"client_stream": func(ctx context.Context, c stack.Client) error {
			s, err := c.GreetCount(ctx)
			if err == nil {
				_, err = s.CloseAndReceive()
			}
			return err
		},
		"bidi": func(ctx context.Context, c stack.Client) error {
			s, err := c.GreetChat(ctx)
			if err == nil {
				err = s.CloseSend()
			}
			for err == nil {
				_, err = s.Receive()
			}
			return err
		},
	}
	for _, n := range clientNames() {
		c := serveAndDial(t, n, demoHandler(t))
		for name, call := range calls {
			if name == "bidi" && n.Transport == stack.H1 {
				continue
			}
			t.Run(n.String()+"/"+name, func(t *testing.T) {
				m := &stack.Metadata{RequestHeader: http.Header{"Greet-Echo": {"one", "two"}}}
				if err := call(stack.WithMetadata(t.Context(), m), c); err != nil && !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				want := []string{"one", "two"}
				if got := m.ResponseHeader.Values(greet.HeaderEcho); !cmp.Equal(got, want) {
					t.Errorf("response header = %q, want %q in %v", got, want, m.ResponseHeader)
				}
				if got := m.ResponseTrailer.Values(greet.TrailerEcho); !cmp.Equal(got, want) {
					t.Errorf("response trailer = %q, want %q in %v", got, want, m.ResponseTrailer)
				}
			})
		}
	}
}
