package grpcgo

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
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
	forEach(t, func(t *testing.T, c stack.Client) {
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
		if _, ok := status.FromError(got.Cause); !ok {
			t.Errorf("cause of %v is not the library's error", err)
		}
	})
}

func TestCancelInMidStream(t *testing.T) {
	forEach(t, func(t *testing.T, c stack.Client) {
		stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Name: "x", Count: greet.MaxCount})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Receive(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := stream.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
		if err := drain(stream); greet.CodeOf(err) != greet.CodeCanceled {
			t.Errorf("after close the stream ends with %v, want code canceled", err)
		}
	})
}

func TestDeadline(t *testing.T) {
	forEach(t, func(t *testing.T, c stack.Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		chat, err := c.GreetChat(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer chat.Close()
		if _, err := chat.Receive(); greet.CodeOf(err) != greet.CodeDeadlineExceeded {
			t.Errorf("silent chat ended with %v, want code deadline_exceeded", err)
		}
		stream, err := c.GreetCount(ctx)
		if err == nil {
			_, err = stream.CloseAndReceive()
		}
		if greet.CodeOf(err) != greet.CodeDeadlineExceeded {
			t.Errorf("call past its deadline ended with %v, want code deadline_exceeded", err)
		}
	})
}

func TestOversize(t *testing.T) {
	large := strings.Repeat("x", 5<<20)
	r := start(t, func(ctx context.Context, socket listen.Socket) error {
		return NewServerOf(service{}, stack.ServeOptions{}).Run(ctx, socket)
	})
	c, err := dial(r.addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Greet(soon(t), &greetv1.GreetRequest{Name: large})
	checkOversize(t, "client", err)
	_, err = greetv1.NewGreetServiceClient(plain(t, r.addr)).Greet(soon(t), &greetv1.GreetRequest{Name: large})
	checkOversize(t, "server", fromStatus(err))
}

// TestOversizeResponse has a request within the limit and a response beyond it.
func TestOversizeResponse(t *testing.T) {
	fits := strings.Repeat("x", stack.MaxMessageBytes-8)
	_, err := serveStack(t, stack.H2C, stack.ServeOptions{}).Greet(soon(t), &greetv1.GreetRequest{Name: fits})
	checkOversize(t, "server", err)
}

func checkOversize(t *testing.T, side string, err error) {
	t.Helper()
	if greet.CodeOf(err) != greet.CodeResourceExhausted || !strings.Contains(err.Error(), strconv.Itoa(stack.MaxMessageBytes)) {
		t.Errorf("%s's refusal is %v, want resource_exhausted that names the limit", side, err)
	}
}

func TestConnections(t *testing.T) {
	forEach(t, func(t *testing.T, c stack.Client) {
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
	c, err := dial(addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Greet(soon(t), &greetv1.GreetRequest{})
	if greet.CodeOf(err) != greet.CodeUnavailable || !strings.Contains(err.Error(), addr) {
		t.Errorf("error is %v, want unavailable that names %s", err, addr)
	}
	if got := c.Connections(); got != 0 {
		t.Errorf("%d connections counted, want 0: none was opened", got)
	}
}

// TestCutStream takes the server away in mid-stream, which is an error and never
// a clean end. Sending only says that the call has ended, receiving says how.
func TestCutStream(t *testing.T) {
	s := NewServerOf(service{}, stack.ServeOptions{})
	r := start(t, s.Run)
	c, err := dial(r.addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Count: greet.MaxCount})
	if err != nil {
		t.Fatal(err)
	}
	chat, err := c.GreetChat(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Receive(); err != nil {
		t.Fatal(err)
	}
	r.stop()
	if err := drain(stream); greet.CodeOf(err) != greet.CodeUnavailable {
		t.Errorf("stream ended with %v, want code unavailable", err)
	}
	for err == nil {
		err = chat.Send(&greetv1.GreetChatRequest{Name: "x"})
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("sending on a chat that was cut: %v, want io.EOF", err)
	}
	for err = nil; err == nil; { // greetings that came before the cut
		_, err = chat.Receive()
	}
	if greet.CodeOf(err) != greet.CodeUnavailable {
		t.Errorf("chat ended with %v, want code unavailable", err)
	}
}

func TestRefuses(t *testing.T) {
	tests := []struct{ name, wantPart string }{
		{"grpc-go/grpc/h2c", ""},
		{"grpc-go/grpc/h2", ""},
		{"grpc-go/grpc/h1", "use h2c or h2"},
		{"grpc-go/grpc/h3", "use h2c or h2"},
		{"grpc-go/connect/h2c", "for connect use connect-go"},
		{"grpc-go/grpcweb/h2c", "for grpcweb use connect-go"},
		{"grpc-go/grpc/h2c+json", "use proto"},
		{"grpc-go/grpc/h2c+gzip", ""},
		{"grpc-go/grpc/h2c+servehttp", ""},
		{"grpc-go/grpc/h2c+interceptors=4", ""},
		{"grpc-go/grpc/h2c+tuned", ""},
		{"grpc-go/grpc/h2c+fast", `no variant "fast"`},
		{"grpc-go/grpc/h2c+gzip+fast", `no variant "fast"`},
	}
	for _, tt := range tests {
		n, err := stack.ParseName(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		got := Refuses(n)
		if (got == "") != (tt.wantPart == "") || !strings.Contains(got, tt.wantPart) {
			t.Errorf("Refuses(%s) = %q, want %q in it", tt.name, got, tt.wantPart)
		}
	}
	if _, err := New(stack.H1); err == nil || !strings.Contains(err.Error(), "use h2c or h2") {
		t.Errorf("New(h1): error is %v, want one that says what would work", err)
	}
}

func TestSecureStackNeedsCertificates(t *testing.T) {
	s, err := New(stack.H2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Dial("127.0.0.1:1", stack.DialOptions{}); !errors.Is(err, errNoTLS) {
		t.Errorf("dial without TLS settings: %v, want %v", err, errNoTLS)
	}
	if err := s.Serve(t.Context(), listen.Socket{}, stack.ServeOptions{}); !errors.Is(err, errNoTLS) {
		t.Errorf("serve without TLS settings: %v, want %v", err, errNoTLS)
	}
}
