package grpcgo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// everyMode has one call of each mode, and one that fails, each run to its end.
var everyMode = []struct {
	name string
	call func(context.Context, stack.Client) error
	want greet.Code
}{
	{"unary", func(ctx context.Context, c stack.Client) error {
		_, err := c.Greet(ctx, &greetv1.GreetRequest{})
		return err
	}, greet.OK},
	{"server_stream", func(ctx context.Context, c stack.Client) error {
		stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Count: 3})
		if err != nil {
			return err
		}
		return cleanly(drain(stream))
	}, greet.OK},
	{"server_stream that fails", func(ctx context.Context, c stack.Client) error {
		stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Count: -1})
		if err != nil {
			return err
		}
		return cleanly(drain(stream))
	}, greet.CodeInvalidArgument},
	{"client_stream", func(ctx context.Context, c stack.Client) error {
		stream, err := c.GreetCount(ctx)
		if err != nil {
			return err
		}
		_, err = stream.CloseAndReceive()
		return err
	}, greet.OK},
	{"bidi", func(ctx context.Context, c stack.Client) error {
		chat, err := c.GreetChat(ctx)
		if err != nil {
			return err
		}
		if err := chat.CloseSend(); err != nil {
			return err
		}
		_, err = chat.Receive()
		return cleanly(err)
	}, greet.OK},
}

func cleanly(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func TestMetadataEcho(t *testing.T) {
	c := serveStack(t, stack.H2C, demo(io.Discard, nil))
	for _, tt := range everyMode {
		t.Run(tt.name, func(t *testing.T) {
			md := &stack.Metadata{RequestHeader: http.Header{}}
			md.RequestHeader.Set(greet.HeaderEcho, "hi there")
			if err := tt.call(stack.WithMetadata(soon(t), md), c); greet.CodeOf(err) != tt.want {
				t.Fatalf("call ended with %v, want code %v", err, tt.want)
			}
			if got := md.ResponseHeader.Get(greet.HeaderEcho); got != "hi there" {
				t.Errorf("response header is %q, want %q", got, "hi there")
			}
			if got := md.ResponseTrailer.Get(greet.TrailerEcho); got != "hi there" {
				t.Errorf("response trailer is %q, want %q", got, "hi there")
			}
		})
	}
}

// saw asks the server how it saw the call named id end.
func saw(t *testing.T, c stack.Client, id string) string {
	t.Helper()
	md := &stack.Metadata{RequestHeader: http.Header{}}
	md.RequestHeader.Set(greet.HeaderSaw, id)
	if _, err := c.Greet(stack.WithMetadata(soon(t), md), &greetv1.GreetRequest{}); err != nil {
		t.Fatal(err)
	}
	return md.ResponseHeader.Get(greet.HeaderSaw)
}

func named(ctx context.Context, id string) context.Context {
	md := &stack.Metadata{RequestHeader: http.Header{}}
	md.RequestHeader.Set(greet.HeaderCallID, id)
	return stack.WithMetadata(ctx, md)
}

func TestServerSeesHowCallsEnd(t *testing.T) {
	c := serveStack(t, stack.H2C, demo(io.Discard, nil))
	wants := map[string]string{
		"unary":                    "ok after receiving 1 and sending 1 messages",
		"server_stream":            "ok after receiving 1 and sending 3 messages",
		"server_stream that fails": "invalid_argument after receiving 1 and sending 0 messages",
		"client_stream":            "ok after receiving 0 and sending 1 messages",
		"bidi":                     "ok after receiving 0 and sending 0 messages",
	}
	for _, tt := range everyMode {
		if err := tt.call(named(soon(t), tt.name), c); greet.CodeOf(err) != tt.want {
			t.Fatalf("%s ended with %v, want code %v", tt.name, err, tt.want)
		}
		if got := saw(t, c, tt.name); got != wants[tt.name] {
			t.Errorf("server saw %s as %q, want %q", tt.name, got, wants[tt.name])
		}
	}
	if got, want := saw(t, c, "nobody"), "no such call"; got != want {
		t.Errorf("server saw an unknown call as %q, want %q", got, want)
	}
}

func TestServerSeesTheCancel(t *testing.T) {
	c := serveStack(t, stack.H2C, demo(io.Discard, nil))
	chat, err := c.GreetChat(named(soon(t), "chat"))
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := chat.Receive(); err != nil {
		t.Fatal(err)
	}
	chat.Close()
	if got, want := saw(t, c, "chat"), "canceled after receiving 1 and sending 1 messages"; got != want {
		t.Errorf("server saw the chat as %q, want %q", got, want)
	}

	stream, err := c.GreetStream(named(soon(t), "stream"), &greetv1.GreetStreamRequest{Count: greet.MaxCount})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Receive(); err != nil { // by now the handler runs
		t.Fatal(err)
	}
	stream.Close()
	if got, want := saw(t, c, "stream"), "canceled after receiving 1 and sending "; !strings.HasPrefix(got, want) {
		t.Errorf("server saw the stream as %q, want %q…", got, want)
	}
}

// panicking serves one unary and one streaming method that panic.
var panicking = grpc.ServiceDesc{
	ServiceName: "test.Panic",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Unary", Handler: func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		req := new(greetv1.GreetRequest)
		if err := decode(req); err != nil {
			return nil, err
		}
		info := &grpc.UnaryServerInfo{Server: srv, FullMethod: "/test.Panic/Unary"}
		return intercept(ctx, req, info, func(context.Context, any) (any, error) { panic("a secret") })
	}}},
	Streams: []grpc.StreamDesc{{StreamName: "Stream", ServerStreams: true, Handler: func(any, grpc.ServerStream) error { panic("a secret") }}},
}

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestPanicBecomesInternal(t *testing.T) {
	log := new(buffer)
	s := NewServerOf(service{}, demo(log, nil))
	s.RegisterService(&panicking, nil)
	conn := plain(t, start(t, s.Run).addr)
	for _, method := range []string{"/test.Panic/Unary", "/test.Panic/Stream"} {
		err := fromStatus(conn.Invoke(soon(t), method, &greetv1.GreetRequest{}, new(greetv1.GreetResponse)))
		if greet.CodeOf(err) != greet.CodeInternal || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error is %v, want code internal without the panic's text", method, err)
		}
		for _, want := range []string{"a secret", "procedure=" + method, "demo_test.go"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("%s: the log does not hold %q:\n%s", method, want, log)
			}
		}
	}
	if _, err := greetv1.NewGreetServiceClient(conn).Greet(soon(t), &greetv1.GreetRequest{}); err != nil {
		t.Errorf("call after the panics: %v", err)
	}
}
