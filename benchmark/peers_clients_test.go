package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/stack/catalog"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// answer is what a peer's client says of a slice, or of an operation.
type answer struct {
	Error     string
	Calls     int64
	Sent      int64 `json:"messages_sent"`
	Received  int64 `json:"messages_received"`
	WindowNS  int64 `json:"window_ns"`
	Opened    int64 `json:"connections_opened"`
	Errors    map[string]int64
	First     string  `json:"first_error"`
	Latencies []int64 `json:"latencies_ns"`
}

// request is one to a peer's client, with changes to a small one.
func request(m greet.Mode, changes map[string]any) map[string]any {
	r := map[string]any{
		"mode": string(m), "concurrency": 2, "connections": 1, "payload_bytes": 16, "messages": 1,
		"calls": 10, "warmup_calls": 2, "window_ns": 0, "deadline_ns": (20 * time.Second).Nanoseconds(),
	}
	if m != greet.Unary {
		r["messages"] = 5
	}
	maps.Copy(r, changes)
	return r
}

// eachClient runs the test for the client of each stack of every peer that has one.
func eachClient(t *testing.T, test func(*testing.T, plan.PeerStack)) {
	eachPeer(t, func(t *testing.T, one plan.PeerStack) {
		if one.Peer.BenchArgv(one.Offer) == nil {
			t.Skipf("peer %s has no client", one.Peer.Name)
		}
		test(t, one)
	})
}

// ask starts the client for one request. It must end well afterwards.
func ask(t *testing.T, one plan.PeerStack, addr string, requests ...any) []answer {
	t.Helper()
	client, err := process.StartClient(process.Command{
		Name: one.Name.String(), Argv: one.Peer.BenchArgv(one.Offer), Dir: one.Peer.Dir, Log: t.Output(),
		Fill: process.Fill{Addr: addr, Protocol: one.Name.Protocol, Transport: one.Name.Transport},
	})
	if err != nil {
		t.Fatal(err)
	}
	answers := make([]answer, len(requests))
	for i, r := range requests {
		var line json.RawMessage
		if err := client.Ask(t.Context(), r, &line, time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &answers[i]); err != nil {
			t.Fatal(err)
		}
		wantValid(t, protocolSchema(t, kindOf(r, answers[i])), line)
	}
	if err := client.Stop(10 * time.Second); err != nil {
		t.Error(err)
	}
	return answers
}

// goServer serves a Go stack that speaks as the peer's does, and counts connections.
func goServer(t *testing.T, one plan.PeerStack) (addr string, accepted *atomic.Int64) {
	t.Helper()
	s, err := catalog.Find(plan.Reference(one.Name))
	if err != nil {
		t.Fatal(err)
	}
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	accepted = new(atomic.Int64)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(ctx, listen.Counted(socket, accepted), stack.ServeOptions{Drain: time.Second})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		socket.Close()
	})
	return socket.Addr(), accepted
}

func TestPeersClientsCallGoServers(t *testing.T) {
	eachClient(t, func(t *testing.T, one plan.PeerStack) {
		addr, accepted := goServer(t, one)
		var requests []any
		for _, m := range one.Modes() {
			requests = append(requests, request(m, nil), request(m, map[string]any{"calls": 0, "window_ns": 100_000_000, "payload_bytes": 1 << 10}))
		}
		connections := 2
		requests = append(requests, request(greet.Unary, map[string]any{"concurrency": 2, "connections": connections, "calls": 20, "payload_bytes": 1 << 20}))
		before := accepted.Load()
		for i, got := range ask(t, one, addr, requests...) {
			asked := requests[i].(map[string]any)
			calls := got.Calls
			if asked["calls"] != 0 {
				calls = int64(asked["calls"].(int))
			}
			sent, received := messagesOf(asked)
			want := answer{
				Calls: calls, Sent: calls * sent, Received: calls * received,
				WindowNS: got.WindowNS, Opened: got.Opened, Errors: got.Errors, Latencies: got.Latencies,
			}
			if diff := cmp.Diff(want, got); diff != "" || calls < 1 || len(got.Errors) > 0 || got.WindowNS < 1 || int64(len(got.Latencies)) != calls {
				t.Errorf("%v: %d calls, %d latencies, window %d ns, errors %v (-want +got):\n%s",
					asked, got.Calls, len(got.Latencies), got.WindowNS, got.Errors, diff)
			}
			if slices.ContainsFunc(got.Latencies, func(ns int64) bool { return ns < 1000 || ns > time.Minute.Nanoseconds() }) {
				t.Errorf("%v: latencies %v, want nanoseconds", asked, got.Latencies)
			}
			before += got.Opened
		}
		// Over HTTP/1.1 a library may replace connections behind the client's back. Where
		// the two counts differ in a run, the figure is marked.
		if got := accepted.Load(); got < before || got > before && one.Name.Transport != stack.H1 {
			t.Errorf("the server has accepted %d connections, the client says %d", got, before)
		}
	})
}

func messagesOf(asked map[string]any) (sent, received int64) {
	sent, received = 1, 1
	if m := asked["mode"]; m == string(greet.ClientStream) || m == string(greet.Bidi) {
		sent = int64(asked["messages"].(int))
	}
	if m := asked["mode"]; m == string(greet.ServerStream) || m == string(greet.Bidi) {
		received = int64(asked["messages"].(int))
	}
	return sent, received
}

// misbehaving is greet.v1 with something wrong in every answer.
type misbehaving struct {
	before func(context.Context) error // of every call
	text   string                      // before each greeting
	fewer  int32                       // messages than are due
}

func (m misbehaving) begin(ctx context.Context) error {
	if m.before == nil {
		return nil
	}
	return m.before(ctx)
}

func (m misbehaving) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: m.text + greet.Hello(req.GetName())}, m.begin(ctx)
}

func (m misbehaving) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest, stream greetv1connect.GreetServiceGreetStreamServerStream) error {
	for i := range req.GetCount() - m.fewer {
		if err := stream.Send(&greetv1.GreetStreamResponse{Greeting: m.text + greet.NumberedHello(i+1, req.GetName())}); err != nil {
			return err
		}
	}
	return m.begin(ctx)
}

func (m misbehaving) GreetCount(ctx context.Context, stream greetv1connect.GreetServiceGreetCountServerStream) (*greetv1.GreetCountResponse, error) {
	res, err := greet.Count(stream.Receive)
	if err != nil {
		return nil, err
	}
	return &greetv1.GreetCountResponse{Count: res.GetCount() - max(m.fewer, int32(len(m.text)))}, m.begin(ctx)
}

func (m misbehaving) GreetChat(ctx context.Context, stream greetv1connect.GreetServiceGreetChatServerStream) error {
	left := m.fewer
	err := greet.Chat(stream.Receive, func(res *greetv1.GreetChatResponse) error {
		if left--; left >= 0 {
			return nil
		}
		res.Greeting = m.text + res.GetGreeting()
		return stream.Send(res)
	})
	return errors.Join(err, m.begin(ctx))
}

func TestPeersClientsNoticeWhatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		service  misbehaving
		deadline time.Duration
		want     string
		spares   greet.Mode // that has nothing wrong in it
	}{
		"wrong texts":  {misbehaving{text: "Oh! "}, time.Minute, "wrong_reply", ""},
		"too little":   {misbehaving{fewer: 1}, time.Minute, "wrong_reply", greet.Unary},
		"a refusal":    {misbehaving{before: func(context.Context) error { return connect.NewError(connect.CodeResourceExhausted, "no more") }}, time.Minute, "resource_exhausted", ""},
		"a hang":       {misbehaving{before: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}, 300 * time.Millisecond, "deadline_exceeded", ""},
		"not answered": {misbehaving{before: func(context.Context) error { panic(http.ErrAbortHandler) }}, time.Minute, "", ""},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			addr := serveMisbehaving(t, tt.service)
			eachClient(t, func(t *testing.T, one plan.PeerStack) {
				modes := slices.DeleteFunc(one.Modes(), func(m greet.Mode) bool { return m == tt.spares })
				var requests []any
				for _, m := range modes {
					requests = append(requests, request(m, map[string]any{"warmup_calls": 0, "calls": 2, "deadline_ns": tt.deadline.Nanoseconds()}))
				}
				for i, got := range ask(t, one, addr, requests...) {
					if got.Calls != 0 || len(got.Errors) != 1 || tt.want != "" && got.Errors[tt.want] < 1 || got.First == "" {
						t.Errorf("%s: %d calls, errors %v, first %q, want %s alone", modes[i], got.Calls, got.Errors, got.First, tt.want)
					}
				}
			})
		})
	}
}

// serveMisbehaving serves all protocols over HTTP/1.1 and h2c.
func serveMisbehaving(t *testing.T, service misbehaving) (addr string) {
	t.Helper()
	server := httptest.NewUnstartedServer(connectgo.NewHandlerOf(service, stack.ServeOptions{}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that go away
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func TestPeersClientsWithoutAServer(t *testing.T) {
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	addr := socket.Addr()
	socket.Close()
	eachClient(t, func(t *testing.T, one plan.PeerStack) {
		got := ask(t, one, addr, request(greet.Unary, map[string]any{"deadline_ns": time.Second.Nanoseconds()}))[0]
		// A library may wait for a server until the deadline.
		if got.Calls != 0 || got.Errors["unavailable"]+got.Errors["deadline_exceeded"] < 1 || got.First == "" {
			t.Errorf("%d calls, errors %v, first %q, want unavailable", got.Calls, got.Errors, got.First)
		}
	})
}

// TestPeersClientsGoOn has good requests after bad ones, and asks about the codec.
func TestPeersClientsGoOn(t *testing.T) {
	eachClient(t, func(t *testing.T, one plan.PeerStack) {
		addr, _ := goServer(t, one)
		codec := map[string]any{"codec": "marshal", "payload_bytes": 1 << 16, "window_ns": 20_000_000}
		back := map[string]any{"codec": "unmarshal", "payload_bytes": 1 << 16, "window_ns": 20_000_000}
		answers := ask(t, one, addr,
			request("telepathy", nil), map[string]any{"codec": "sideways", "payload_bytes": 1, "window_ns": 1}, "not an object",
			request(greet.Unary, nil), codec, back)
		for _, got := range answers[:3] {
			if got.Error == "" {
				t.Errorf("a bad request was answered by %+v", got)
			}
		}
		if got := answers[3]; got.Error != "" || got.Calls != 10 {
			t.Errorf("a good request after bad ones: %+v", got)
		}
		for _, got := range answers[4:] {
			if got.Error != "" || got.Calls < 1 || got.WindowNS < 20_000_000 {
				t.Errorf("codec: %+v", got)
			}
		}
	})
}
