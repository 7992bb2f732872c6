package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// way is one way to call the server.
type way struct {
	label string // of the listener
	stack stack.Stack
}

func ways(t *testing.T) []way {
	t.Helper()
	grpc, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	return []way{
		{"connect", connectgo.New(stack.Connect, stack.H1, "proto")},
		{"connect", connectgo.New(stack.GRPC, stack.H2C, "proto")},
		{"connect", connectgo.New(stack.GRPCWeb, stack.H1, "json")},
		{"tls", connectgo.New(stack.Connect, stack.H2, "proto")},
		{"tls", connectgo.New(stack.Connect, stack.H3, "proto")},
		{"grpc", grpc},
	}
}

// dial makes a client of p that trusts config.
func (w way) dial(t *testing.T, p *process, config *tls.Config) stack.Client {
	t.Helper()
	client, err := w.stack.Dial(p.addr[w.label], stack.DialOptions{TLS: config})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func anyone() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// TestServesEveryWay trusts the certificate that the server wrote.
func TestServesEveryWay(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca.pem")
	p := start(t, "--cert-out="+ca)
	config, err := listen.ClientTLS(ca, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ways(t) {
		res, err := w.dial(t, p, config).Greet(t.Context(), &greetv1.GreetRequest{Name: "Ann"})
		if err != nil || res.GetGreeting() != greet.Hello("Ann") {
			t.Errorf("%s: got %v, %v", w.stack.Name, res, err)
		}
	}
}

// TestListenersShareTheCallLog asks one listener what another saw.
func TestListenersShareTheCallLog(t *testing.T) {
	p := start(t)
	all := ways(t)
	named := &stack.Metadata{RequestHeader: http.Header{}}
	named.RequestHeader.Set(greet.HeaderCallID, "the-call")
	if _, err := all[0].dial(t, p, nil).Greet(stack.WithMetadata(t.Context(), named), &greetv1.GreetRequest{}); err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		ask := &stack.Metadata{RequestHeader: http.Header{}}
		ask.RequestHeader.Set(greet.HeaderSaw, "the-call")
		if _, err := w.dial(t, p, anyone()).Greet(stack.WithMetadata(t.Context(), ask), &greetv1.GreetRequest{}); err != nil {
			t.Fatal(err)
		}
		if got := ask.ResponseHeader.Get(greet.HeaderSaw); !strings.HasPrefix(got, "ok after receiving 1") {
			t.Errorf("%s: was told %q", w.stack.Name, got)
		}
	}
}

// talk opens a chat that has said one thing and had its answer.
func talk(t *testing.T, c stack.Client) stack.GreetChat {
	t.Helper()
	chat, err := c.GreetChat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = chat.Close() })
	exchange(t, chat)
	return chat
}

func exchange(t *testing.T, chat stack.GreetChat) {
	t.Helper()
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	if _, err := chat.Receive(); err != nil {
		t.Fatal(err)
	}
}

func talkative(t *testing.T) (ws []way) {
	for _, w := range ways(t) {
		if w.stack.Carries(greet.Bidi) {
			ws = append(ws, w)
		}
	}
	return ws
}

// TestDrainWaitsForChats goes on with a conversation after SIGTERM, to its end.
func TestDrainWaitsForChats(t *testing.T) {
	p := start(t)
	var chats []stack.GreetChat
	for _, w := range talkative(t) {
		chats = append(chats, talk(t, w.dial(t, p, anyone())))
	}
	watch := watchHealth(t, p.addr["grpc"], insecure.NewCredentials())
	p.signal(t, syscall.SIGTERM)
	expectStatus(t, watch, grpc_health_v1.HealthCheckResponse_NOT_SERVING) // so the drain has begun
	for _, chat := range chats {
		exchange(t, chat)
		if err := chat.CloseSend(); err != nil {
			t.Error(err)
		}
		if _, err := chat.Receive(); !errors.Is(err, io.EOF) {
			t.Errorf("the chat ended with %v", err)
		}
	}
	watch.cancel()
	if code := p.wait(t, 5*time.Second); code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, p.stderr)
	}
}

// TestDrainCutsIdleChats has chats that say no more.
func TestDrainCutsIdleChats(t *testing.T) {
	const limit = 500 * time.Millisecond
	p := start(t, "--drain="+limit.String())
	var chats []stack.GreetChat
	for _, w := range talkative(t) {
		chats = append(chats, talk(t, w.dial(t, p, anyone())))
	}
	p.signal(t, syscall.SIGTERM)
	if code := p.wait(t, limit+time.Second); code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, p.stderr)
	}
	for _, chat := range chats {
		if _, err := chat.Receive(); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("a chat that was cut ended with %v", err)
		}
	}
	if got := strings.Count(p.stderr.String(), "calls were cut"); got != len(p.addr) {
		t.Errorf("the log says of %d listeners that calls were cut, want %d: %s", got, len(p.addr), p.stderr)
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	p := start(t, "--drain=1m")
	watch := watchHealth(t, p.addr["grpc"], insecure.NewCredentials())
	talk(t, ways(t)[1].dial(t, p, nil))
	p.signal(t, syscall.SIGTERM)
	expectStatus(t, watch, grpc_health_v1.HealthCheckResponse_NOT_SERVING)
	p.signal(t, os.Interrupt)
	if code := p.wait(t, 5*time.Second); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}

// TestHealthBeforeListenersClose asks over new connections until they are
// refused. The last answer must be that the server does not serve.
func TestHealthBeforeListenersClose(t *testing.T) {
	p := start(t)
	listeners := map[string]credentials.TransportCredentials{
		"connect": insecure.NewCredentials(), "tls": credentials.NewTLS(anyone()), "grpc": insecure.NewCredentials(),
	}
	last := make(map[string]chan grpc_health_v1.HealthCheckResponse_ServingStatus)
	for label, creds := range listeners {
		last[label] = make(chan grpc_health_v1.HealthCheckResponse_ServingStatus, 1)
		first := make(chan struct{})
		go func() { last[label] <- askUntilRefused(t, p.addr[label], creds, first) }()
		<-first
	}
	p.signal(t, syscall.SIGTERM)
	for label, status := range last {
		if got := <-status; got != grpc_health_v1.HealthCheckResponse_NOT_SERVING {
			t.Errorf("%s: the last answer was %v", label, got)
		}
	}
	if code := p.wait(t, 5*time.Second); code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, p.stderr)
	}
}

// askUntilRefused returns the last status that it got, and closes first with the
// first.
func askUntilRefused(t *testing.T, addr string, creds credentials.TransportCredentials, first chan<- struct{}) (last grpc_health_v1.HealthCheckResponse_ServingStatus) {
	for begun := false; ; {
		conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(creds))
		if err != nil {
			t.Error(err)
			return last
		}
		res, err := grpc_health_v1.NewHealthClient(conn).Check(context.Background(), &grpc_health_v1.HealthCheckRequest{})
		_ = conn.Close()
		if !begun {
			begun = true
			close(first)
		}
		if err != nil {
			return last
		}
		last = res.GetStatus()
	}
}

// healthWatch is a Watch that has said SERVING.
type healthWatch struct {
	grpc.ServerStreamingClient[grpc_health_v1.HealthCheckResponse]
	cancel func()
}

func watchHealth(t *testing.T, addr string, creds credentials.TransportCredentials) healthWatch {
	t.Helper()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(creds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := grpc_health_v1.NewHealthClient(conn).Watch(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	w := healthWatch{stream, cancel}
	expectStatus(t, w, grpc_health_v1.HealthCheckResponse_SERVING)
	return w
}

func expectStatus(t *testing.T, w healthWatch, want grpc_health_v1.HealthCheckResponse_ServingStatus) {
	t.Helper()
	if res, err := w.Recv(); err != nil || res.GetStatus() != want {
		t.Fatalf("health: got %v, %v; want %v", res.GetStatus(), err, want)
	}
}
