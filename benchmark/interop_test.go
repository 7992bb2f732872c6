package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/benchmark/internal/stack/catalog"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/grpcgo"
)

func TestInteropChooses(t *testing.T) {
	somewhere(t, "sh", true)
	for _, tt := range []struct {
		stacks string
		want   []string // in the unary mode
	}{
		{"grpc-go/grpc/h2c,floor/*,connect-go/connect/h1,elsewhere/*", []string{
			"connect-go → connect-go/connect/h1 go",
			"elsewhere → elsewhere/grpc/h2c sh", "elsewhere → floor/grpc/h2c sh", "elsewhere → grpc-go/grpc/h2c sh",
			"floor → elsewhere/grpc/h2c go", "floor → floor/grpc/h2c go", "floor → grpc-go/grpc/h2c go",
			"grpc-go → elsewhere/grpc/h2c go", "grpc-go → floor/grpc/h2c go", "grpc-go → grpc-go/grpc/h2c go",
		}},
		{"grpc-go/grpc/h2c+gzip,grpc-go/grpc/h2c,bare/*", []string{
			"grpc-go → grpc-go/grpc/h2c go", "grpc-go → grpc-go/grpc/h2c+gzip go",
			"grpc-go+gzip → grpc-go/grpc/h2c go", "grpc-go+gzip → grpc-go/grpc/h2c+gzip go",
		}},
		{"elsewhere/connect/h1+workers=1", []string{"elsewhere+workers=1 → elsewhere/connect/h1+workers=1 sh"}},
	} {
		r, err := interopCommand{Stacks: strings.Split(tt.stacks, ",")}.newRun(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, meetings(r.Plan(1))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.stacks, diff)
		}
		for _, c := range r.Plan(1) {
			if c.Mode == "bidi" && strings.Contains(c.Stack, "/h1") {
				t.Errorf("%s is called in a mode that it refuses", c.Stack)
			}
		}
	}
}

func TestInteropNamesMissingClients(t *testing.T) {
	there := peers{
		{peer: peer.Peer{Name: "mute"}},
		{peer: peer.Peer{Name: "mute"}},
		{peer: peer.Peer{Name: "half", Bench: []string{"bench"}}, offer: peer.Stack{NoClient: "it knows no TLS"}, Stack: stack.Stack{Name: stack.Name{Library: "half", Protocol: "grpc", Transport: "h2"}}},
		{peer: peer.Peer{Name: "whole", Bench: []string{"bench"}}},
	}
	want := []string{"client of peer mute: it has none", "client of half/grpc/h2: it knows no TLS"}
	if diff := cmp.Diff(want, there.silent()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// meetings lists who calls whom in the unary mode.
func meetings(cases []result.Case) (calls []string) {
	for _, c := range cases {
		if c.Mode == "unary" {
			calls = append(calls, fmt.Sprintf("%s → %s %s", c.Client, c.Stack, c.ClientLanguage))
		}
	}
	slices.Sort(calls)
	return calls
}

// TestInteropTakesAll has every plain stack of an RPC library, and the peer that is
// not built named.
func TestInteropTakesAll(t *testing.T) {
	somewhere(t, "sh", false)
	r, err := interopCommand{Stacks: []string{"*"}}.newRun(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"peer elsewhere: it is not built: make peers builds it"}; !slices.Equal(r.Skipped, want) {
		t.Errorf("skipped %q, want %q", r.Skipped, want)
	}
	called := make(map[string]bool)
	for _, target := range r.Targets {
		called[target.Stack.Name.String()] = true
	}
	for _, s := range catalog.Known() {
		if name := s.Name.String(); called[name] != (s.Name.RPC() && len(s.Name.Variants) == 0) {
			t.Errorf("%s is called: %v", name, called[name])
		}
	}
	if _, err := (interopCommand{Stacks: []string{"bare/*"}}).newRun(t.Context(), nil); err == nil {
		t.Error("a grid of no RPC library at all")
	}
}

// impostor greets wrongly, and can do nothing else.
type impostor struct {
	greetv1.UnimplementedGreetServiceServer
}

func (impostor) Greet(context.Context, *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: "Good bye!"}, nil
}

// saying is a client that answers every request with the text.
func saying(name, answer string) caller {
	s, err := catalog.Find("grpc-go/grpc/h2c")
	if err != nil {
		panic(err)
	}
	s.Language = "sh"
	script := `while read -r request; do echo '` + answer + `'; done`
	return caller{name, s, &run.PeerClient{Name: name, Argv: []string{"sh", "-c", script}, Dir: os.TempDir()}}
}

// TestInteropSeesLies has a server and two clients that lie beside honest ones.
func TestInteropSeesLies(t *testing.T) {
	honest, err := catalog.Find("grpc-go/grpc/h2c")
	if err != nil {
		t.Fatal(err)
	}
	liar := honest
	liar.Name.Library = "impostor"
	targets := []run.Target{
		{Stack: honest, Addr: serveInTest(t, func(ctx context.Context, s listen.Socket) error {
			return honest.Serve(ctx, s, stack.ServeOptions{})
		})},
		{Stack: liar, Addr: serveInTest(t, grpcgo.NewServerOf(impostor{}, stack.ServeOptions{}).Run)},
	}
	callers := []caller{
		{name: "grpc-go", stack: honest},
		saying("refusing", `{"error":"not today"}`),
		// It has no idea of streams.
		saying("boasting", `{"calls":20,"messages_sent":20,"messages_received":20,"window_ns":5,"connections_opened":1,"latencies_ns":[`+strings.Repeat("1,", 19)+`1]}`),
	}
	r := run.Run{ID: "lies", Targets: calledBy(callers, targets), Rounds: 1, Seed: 1, Progress: lines{io.Discard}, ServerLog: t.Output()}
	for _, one := range callers {
		r.Scenarios = append(r.Scenarios, one.calls())
	}
	var written []result.Line
	r.Write = func(l result.Line) error {
		written = append(written, l)
		return nil
	}
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	var grid strings.Builder
	if err := writeReport(&grid, "markdown", written); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| server              | language | grpc-go | boasting | refusing |",
		"| `grpc-go/grpc/h2c`  | go       | USCB    | U✗✗✗     | ✗✗✗✗     |",
		"| `impostor/grpc/h2c` | go       | ✗✗✗✗    | U✗✗✗     | ✗✗✗✗     |",
		"- ✗ `grpc-go` (go) calls `impostor/grpc/h2c` (go), unary: 20 of 20 calls failed (wrong_reply 20); the first: `Greet: got \"Good bye!\", want \"Hello, xxxxxxxxxxxxxxxx!\"`.",
		"- ✗ `grpc-go` (go) calls `impostor/grpc/h2c` (go), bidi: 20 of 20 calls failed (unimplemented 20); the first: ",
		"- ✗ `refusing` (sh) calls `grpc-go/grpc/h2c` (go), unary: 1 of 1 calls failed (client_failed 1); the first: `it refused: not today`.",
		"- ✗ `boasting` (sh) calls `grpc-go/grpc/h2c` (go), server stream: 1 of 1 calls failed (client_failed 1); the first: `its answer has 20 messages sent and 20 received",
	} {
		if !strings.Contains(strings.ReplaceAll(grid.String(), "\n  ", " "), want) { // each remark on one line
			t.Errorf("the grid lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(grid.String())
	}
}

// serveInTest serves until the test ends.
func serveInTest(t *testing.T, serve func(context.Context, listen.Socket) error) (addr string) {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, socket) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-served:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the server goes on after its test")
		}
		socket.Close()
	})
	return socket.Addr()
}
