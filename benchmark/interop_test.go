package main

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/benchmark/internal/stack/catalog"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/grpcgo"
)

// impostor greets wrongly, and can do nothing else.
type impostor struct {
	greetv1.UnimplementedGreetServiceServer
}

func (impostor) Greet(context.Context, *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return &greetv1.GreetResponse{Greeting: "Good bye!"}, nil
}

// saying is a client that answers every request with the text.
func saying(name, answer string) *peer.Client {
	s, err := catalog.Find("grpc-go/grpc/h2c")
	if err != nil {
		panic(err)
	}
	s.Language = "sh"
	script := `while read -r request; do echo '` + answer + `'; done`
	return peer.NewClient(name, s, []string{"sh", "-c", script}, os.TempDir())
}

// TestInteropSeesLies has a server and two clients that lie beside honest ones.
func TestInteropSeesLies(t *testing.T) {
	honest, err := catalog.Find("grpc-go/grpc/h2c")
	if err != nil {
		t.Fatal(err)
	}
	liar := honest
	liar.Name.Library, liar.Serve = "impostor", nil // it is no client
	targets := []*plan.Target{
		{Stack: honest, Client: scenario.By("grpc-go", honest), Addr: serveInTest(t, func(ctx context.Context, s listen.Socket) error {
			return honest.Serve(ctx, s, stack.ServeOptions{})
		})},
		{
			Stack: liar, Client: scenario.By("grpc-go", honest), Addr: serveInTest(t, grpcgo.NewServerOf(impostor{}, stack.ServeOptions{}).Run),
			Bench: saying("refusing", `{"error":"not today"}`),
		},
	}
	// It has no idea of streams.
	targets[0].Bench = saying("boasting", `{"calls":20,"messages_sent":20,"messages_received":20,"window_ns":5,"connections_opened":1,"latencies_ns":[`+strings.Repeat("1,", 19)+`1]}`)
	r := run.Run{ID: "lies", Plan: plan.Chosen{Targets: targets}.Grid(), Rounds: 1, Progress: lines{io.Discard}, ServerLog: t.Output()}
	var written []result.Line
	r.Write = func(l result.Line) error {
		written = append(written, l)
		return nil
	}
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	var grid strings.Builder
	if err := writeReport(&grid, report.Find("markdown"), written); err != nil {
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
