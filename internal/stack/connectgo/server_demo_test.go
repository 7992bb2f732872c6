package connectgo

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/grpcreflect/v2"
	"google.golang.org/protobuf/reflect/protoreflect"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	httpdial "example.com/greet/internal/dial"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// record is a log that a test can read while a server writes it.
type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// demoServer is what a test can see and do of a demo beside calling it.
type demoServer struct {
	log  *record
	stop func() // begins the drain, as far as health can tell
}

// serveDemo serves s as the demo does.
func serveDemo(t *testing.T, s greetv1connect.GreetServiceHandler) (addr string, d demoServer) {
	t.Helper()
	stopping := make(chan struct{})
	d = demoServer{log: &record{}, stop: sync.OnceFunc(func() { close(stopping) })}
	t.Cleanup(d.stop)
	log := slog.New(slog.NewTextHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	demo := &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: stopping}
	return serve(t, NewHandlerOf(s, stack.ServeOptions{Demo: demo})), d
}

// panicking panics, in a stream after its first message.
type panicking struct{ service }

func (panicking) Greet(context.Context, *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	panic("a secret")
}

func (panicking) GreetStream(_ context.Context, _ *greetv1.GreetStreamRequest, stream greetv1connect.GreetServiceGreetStreamServerStream) error {
	if err := stream.Send(&greetv1.GreetStreamResponse{}); err != nil {
		return err
	}
	panic("a secret")
}

func TestPanicsAreInternalErrors(t *testing.T) {
	addr, d := serveDemo(t, panicking{})
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		client := newClient(t, protocol, stack.H2C, addr)
		_, unary := client.Greet(t.Context(), &greetv1.GreetRequest{})
		stream, err := client.GreetStream(t.Context(), &greetv1.GreetStreamRequest{})
		if err != nil {
			t.Fatal(err)
		}
		_, first := stream.Receive()
		_, second := stream.Receive()
		if first != nil {
			t.Errorf("%s: the message before the panic was lost: %v", protocol, first)
		}
		for _, err := range []error{unary, second} {
			if greet.CodeOf(err) != greet.CodeInternal || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: got %v, want internal and no word of the panic", protocol, err)
			}
		}
		_ = stream.Close()
	}
	for _, want := range []string{"a secret", "server_demo_test.go", "code=internal"} {
		if !strings.Contains(d.log.String(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	chat, err := newClient(t, stack.Connect, stack.H2C, addr).GreetChat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	if _, err := chat.Receive(); err != nil {
		t.Errorf("a chat after the panics: %v", err)
	}
	_ = chat.Close()
}

// TestMetadataIsEchoed looks at a call of each kind over each protocol.
func TestMetadataIsEchoed(t *testing.T) {
	addr, _ := serveDemo(t, service{})
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		client := newClient(t, protocol, stack.H2C, addr)
		for mode, call := range calls(client) {
			m := &stack.Metadata{RequestHeader: http.Header{}}
			m.RequestHeader.Set(greet.HeaderEcho, "ping")
			if err := call(stack.WithMetadata(t.Context(), m)); err != nil {
				t.Errorf("%s %s: %v", protocol, mode, err)
			}
			if got := m.ResponseHeader.Get(greet.HeaderEcho); got != "ping" {
				t.Errorf("%s %s: the header came back as %q", protocol, mode, got)
			}
			if got := m.ResponseTrailer.Get(greet.TrailerEcho); got != "ping" {
				t.Errorf("%s %s: the trailer came back as %q", protocol, mode, got)
			}
		}
	}
}

// calls makes one short call in each mode.
func calls(c stack.Client) map[greet.Mode]func(context.Context) error {
	return map[greet.Mode]func(context.Context) error{
		greet.Unary: func(ctx context.Context) error {
			_, err := c.Greet(ctx, &greetv1.GreetRequest{})
			return err
		},
		greet.ServerStream: func(ctx context.Context) error {
			stream, err := c.GreetStream(ctx, &greetv1.GreetStreamRequest{Count: 2})
			if err != nil {
				return err
			}
			return drain(stream.Receive)
		},
		greet.ClientStream: func(ctx context.Context) error {
			stream, err := c.GreetCount(ctx)
			if err != nil {
				return err
			}
			_, err = stream.CloseAndReceive()
			return err
		},
		greet.Bidi: func(ctx context.Context) error {
			chat, err := c.GreetChat(ctx)
			if err != nil {
				return err
			}
			if err := errors.Join(chat.Send(&greetv1.GreetChatRequest{}), chat.CloseSend()); err != nil {
				return err
			}
			return drain(chat.Receive)
		},
	}
}

// drain receives to the end of a stream.
func drain[T any](receive func() (T, error)) error {
	for {
		switch _, err := receive(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// TestServerSawTheCancellation cancels a chat after one answer and asks what the
// server saw, over another protocol.
func TestServerSawTheCancellation(t *testing.T) {
	addr, _ := serveDemo(t, service{})
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		ctx, cancel := context.WithCancel(t.Context())
		m := &stack.Metadata{RequestHeader: http.Header{}}
		m.RequestHeader.Set(greet.HeaderCallID, "chat-by-"+protocol)
		chat, err := newClient(t, protocol, stack.H2C, addr).GreetChat(stack.WithMetadata(ctx, m))
		if err != nil {
			t.Fatal(err)
		}
		if err := chat.Send(&greetv1.GreetChatRequest{}); err != nil {
			t.Fatal(err)
		}
		if _, err := chat.Receive(); err != nil {
			t.Fatal(err)
		}
		cancel()
		_ = chat.Close()

		ask := &stack.Metadata{RequestHeader: http.Header{}}
		ask.RequestHeader.Set(greet.HeaderSaw, "chat-by-"+protocol)
		if _, err := newClient(t, stack.Connect, stack.H1, addr).Greet(stack.WithMetadata(t.Context(), ask), &greetv1.GreetRequest{}); err != nil {
			t.Fatal(err)
		}
		const want = "canceled after receiving 1 and sending 1 messages"
		if got := ask.ResponseHeader.Get(greet.HeaderSaw); got != want {
			t.Errorf("%s: the server saw %q, want %q", protocol, got, want)
		}
	}
}

func TestReflectionListsTheService(t *testing.T) {
	addr, _ := serveDemo(t, service{})
	http, err := httpdial.HTTP(stack.H2C, httpdial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer http.Close()
	rpc := connect.NewClient(connecthttp.NewTransport(http.HTTP, http.URL(addr), connecthttp.WithGRPC()))
	stream := grpcreflect.NewClient(rpc).NewStream(t.Context())
	defer stream.Close()
	services, err := stream.ListServices()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"greet.v1.GreetService", "grpc.health.v1.Health", grpcreflect.ReflectV1ServiceName, grpcreflect.ReflectV1AlphaServiceName} {
		if !slices.ContainsFunc(services, func(name protoreflect.FullName) bool { return string(name) == want }) {
			t.Errorf("%s is not in %v", want, services)
		}
	}
	for _, symbol := range []protoreflect.FullName{"greet.v1.GreetService", "grpc.health.v1.Health"} {
		if _, err := stream.FileContainingSymbol(symbol); err != nil {
			t.Errorf("describe %s: %v", symbol, err)
		}
	}
}

func TestCORS(t *testing.T) {
	addr, _ := serveDemo(t, service{})
	preflight := request{"OPTIONS", greetv1connect.GreetServiceGreetProcedure, "", map[string]string{
		"Origin":                         "https://page.example",
		"Access-Control-Request-Method":  "POST",
		"Access-Control-Request-Headers": "connect-protocol-version,content-type,greet-call-id,greet-echo,greet-saw,x-grpc-web",
	}}
	got := preflight.send(t, addr)
	if got.status != http.StatusNoContent || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("preflight: got %d with %v", got.status, got.header)
	}
	call := request{"POST", greetv1connect.GreetServiceGreetProcedure, "{}", map[string]string{
		"Origin": "https://page.example", "Content-Type": "application/json",
	}}
	exposed := strings.ToLower(call.send(t, addr).header.Get("Access-Control-Expose-Headers"))
	for _, want := range []string{"grpc-status", "grpc-message", "grpc-status-details-bin", "greet-echo", "trailer-greet-echo-trailer", "greet-saw"} {
		if !strings.Contains(exposed, want) {
			t.Errorf("%s is not exposed, only %s", want, exposed)
		}
	}
}

// TestDeadlineEndsAStream calls with a client that sends a deadline and does not
// watch it.
func TestDeadlineEndsAStream(t *testing.T) {
	addr, _ := serveDemo(t, service{})
	request := "\x00\x00\x00\x00\x1f" + `{"name":"Ada","count":  100000}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/greet.v1.GreetService/GreetStream", strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/connect+json")
	req.Header.Set("Connect-Timeout-Ms", "1")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.HasSuffix(string(body), `{"error":{"code":"deadline_exceeded"}}`) {
		t.Errorf("after %d bytes, %v: %q, want deadline_exceeded", len(body), err, body[max(0, len(body)-100):])
	}
}
