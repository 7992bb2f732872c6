package connectv1

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"connectrpc.com/connect"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connectv1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// drain receives until the stream ends and says how.
func drain(stream stack.GreetStream) error {
	for {
		if _, err := stream.Receive(); err != nil {
			return err
		}
	}
}

func TestErrorArrivesWhole(t *testing.T) {
	forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
		stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Count: -1})
		if err != nil {
			t.Fatal(err)
		}
		err = drain(stream)
		got, ok := errors.AsType[*greet.Error](err)
		if !ok {
			t.Fatalf("stream ended with %v, want a *greet.Error", err)
		}
		want, _ := errors.AsType[*greet.Error](greet.CheckCount(-1))
		if got.Code != want.Code || got.Message != want.Message {
			t.Errorf("error is %v, want %v", got, want)
		}
		if diff := cmp.Diff(want.Details, got.Details, protocmp.Transform()); diff != "" {
			t.Errorf("details (-want +got):\n%s", diff)
		}
		if _, ok := errors.AsType[*connect.Error](err); !ok {
			t.Errorf("cause of %v is not the library's error", err)
		}
	})
}

func TestLostServerIsUnavailable(t *testing.T) {
	lost := connect.NewError(connect.CodeCanceled, fmt.Errorf("read: %w", syscall.ECONNRESET))
	if got := greet.CodeOf(fromConnect(lost)); got != greet.CodeUnavailable {
		t.Errorf("code of a reset connection is %v, want unavailable", got)
	}
}

func TestCancelInMidStream(t *testing.T) {
	forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
		stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Name: "x", Count: greet.MaxCount})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Receive(); err != nil {
			t.Fatal(err)
		}
		if err := stream.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if err := drain(stream); greet.CodeOf(err) != greet.CodeCanceled {
			t.Errorf("after close the stream ends with %v, want code canceled", err)
		}
		if err := stream.Close(); err != nil {
			t.Errorf("second close: %v", err)
		}
	})
}

func TestDeadline(t *testing.T) {
	forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		stream, err := c.GreetCount(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = stream.Send(&greetv1.GreetCountRequest{})
		}
		if _, err := stream.CloseAndReceive(); greet.CodeOf(err) != greet.CodeDeadlineExceeded {
			t.Errorf("call ended with %v, want code deadline_exceeded", err)
		}
	})
}

func TestOversize(t *testing.T) {
	large := &greetv1.GreetRequest{Name: strings.Repeat("x", 5<<20)}
	forEach(t, func(t *testing.T, s stack.Stack, c stack.Client) {
		// With metadata, for which the client has to ask a call that never went out.
		ctx := stack.WithMetadata(soon(t), new(stack.Metadata))
		_, err := c.Greet(ctx, large)
		checkOversize(t, "client", err)
		_, err = c.GreetStream(ctx, &greetv1.GreetStreamRequest{Name: large.GetName()})
		checkOversize(t, "client", err)

		// A client without a limit, so that the server has to refuse.
		addr := serve(t, s)
		d, err := newClient(s.Name.Transport, addr, stack.DialOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		free := greetv1connectv1.NewGreetServiceClient(d.http.HTTP, d.http.URL(addr))
		_, err = free.Greet(soon(t), connect.NewRequest(large))
		checkOversize(t, "server", fromConnect(err))
	})
}

func checkOversize(t *testing.T, side string, err error) {
	t.Helper()
	if greet.CodeOf(err) != greet.CodeResourceExhausted || !strings.Contains(err.Error(), strconv.Itoa(stack.MaxMessageBytes)) {
		t.Errorf("%s's refusal is %v, want resource_exhausted that names the limit", side, err)
	}
}

// TestNothingIsCompressed looks at both directions of a call in which the
// server would compress if it could.
func TestNothingIsCompressed(t *testing.T) {
	var sent http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Clone()
		r.Header.Set("Accept-Encoding", "gzip")
		newHandler().ServeHTTP(w, r)
	}))
	defer server.Close()
	c := dialTo(t, Stacks()[0], server.Listener.Addr().String())
	md := new(stack.Metadata)
	if _, err := c.Greet(stack.WithMetadata(soon(t), md), &greetv1.GreetRequest{Name: strings.Repeat("x", 10_000)}); err != nil {
		t.Fatal(err)
	}
	for _, h := range []http.Header{sent, md.ResponseHeader} {
		for _, key := range []string{"Accept-Encoding", "Content-Encoding"} {
			if got := h.Get(key); got != "" && got != "identity" {
				t.Errorf("%s is %q, want none", key, got)
			}
		}
	}
}

func TestMetadata(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Seen", r.Header.Get("Asked"))
		newHandler().ServeHTTP(w, r)
	}))
	defer server.Close()
	c := dialTo(t, Stacks()[0], server.Listener.Addr().String())
	calls := map[string]func(context.Context) error{
		"unary": func(ctx context.Context) error {
			_, err := c.Greet(ctx, &greetv1.GreetRequest{})
			return err
		},
		"server stream that fails": func(ctx context.Context) error {
			stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Count: -1})
			if err != nil {
				return err
			}
			if err := drain(stream); greet.CodeOf(err) != greet.CodeInvalidArgument {
				return err
			}
			return nil
		},
		"client stream": func(ctx context.Context) error {
			stream, err := c.GreetCount(ctx)
			if err != nil {
				return err
			}
			_, err = stream.CloseAndReceive()
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			md := &stack.Metadata{RequestHeader: http.Header{"Asked": {"x"}}}
			if err := call(stack.WithMetadata(soon(t), md)); err != nil {
				t.Fatal(err)
			}
			if got := md.ResponseHeader.Get("Seen"); got != "x" {
				t.Errorf("response header is %q, want x", got)
			}
		})
	}
}

// TestStreamsReuseTheConnection reads streams to the end, one after the other:
// whatever the transport, that takes one connection.
func TestStreamsReuseTheConnection(t *testing.T) {
	forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
		if got := c.Connections(); got != 0 {
			t.Errorf("%d connections before the first call, want 0", got)
		}
		for range 50 {
			stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Count: 2})
			if err != nil {
				t.Fatal(err)
			}
			if err := drain(stream); !errors.Is(err, io.EOF) {
				t.Fatalf("stream ended with %v, want io.EOF", err)
			}
			stream.Close()
		}
		if got := c.Connections(); got != 1 {
			t.Errorf("%d connections after 50 streams, want 1", got)
		}
	})
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	for _, s := range Stacks() {
		_, err := dialTo(t, s, addr).Greet(soon(t), &greetv1.GreetRequest{})
		if greet.CodeOf(err) != greet.CodeUnavailable || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: error is %v, want unavailable that names %s", s.Name, err, addr)
		}
	}
}

// TestCutStream takes the connection away in mid-stream, which is an error and
// never a clean end.
func TestCutStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer panic(http.ErrAbortHandler)
		w.Header().Set("Content-Type", "application/connect+proto")
		w.Write([]byte{0, 0, 0, 0, 0}) // one empty message, and no end of stream
		http.NewResponseController(w).Flush()
	}))
	defer server.Close()
	c := dialTo(t, Stacks()[0], server.Listener.Addr().String())
	stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Count: 5})
	if err != nil {
		t.Fatal(err)
	}
	if err := drain(stream); greet.CodeOf(err) == greet.OK || errors.Is(err, io.EOF) {
		t.Errorf("stream ended with %v, want an error", err)
	} else {
		t.Log(err)
	}
}
