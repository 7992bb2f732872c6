package scenario

import (
	"context"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/process"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// TestMain lets the test binary run itself again as a server process.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		os.Exit(serveProcess(os.Args[2]))
	}
	os.Exit(m.Run())
}

func serveProcess(addr string) int {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return 1
	}
	ctx := process.UntilStdinEnds(context.Background(), os.Stdin)
	if listen.Announce(os.Stdout, "", l.Addr().String()) != nil || overGRPC().Serve(ctx, listen.Socket{TCP: l}, stack.ServeOptions{}) != nil {
		return 1
	}
	return 0
}

func overGRPC() stack.Stack {
	s, err := grpcgo.New(stack.H2C)
	if err != nil {
		panic(err) // grpc-go carries h2c
	}
	return s
}

func overHTTP1() stack.Stack { return connectgo.New(stack.Connect, stack.H1, "proto") }

// served serves the stack and returns it as a target with short windows.
func served(t *testing.T, s stack.Stack) Setup {
	return serving(t, s, func(ctx context.Context, socket listen.Socket) error {
		return s.Serve(ctx, socket, stack.ServeOptions{Drain: time.Second})
	})
}

// servedBy serves a service other than greet.v1's own.
func servedBy(t *testing.T, greeter greetv1.GreetServiceServer) Setup {
	return serving(t, overGRPC(), grpcgo.NewServerOf(greeter, stack.ServeOptions{}).Run)
}

func serving(t *testing.T, s stack.Stack, serve func(context.Context, listen.Socket) error) Setup {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := serve(ctx, listen.Socket{TCP: l}); err != nil {
			t.Errorf("serve %s: %v", s.Name, err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
		l.Close()
	})
	return Setup{
		Server: calls.Server{Stack: s, Addr: l.Addr().String()}, Caller: Own(s),
		Window: 300 * time.Millisecond, Deadline: 5 * time.Second,
	}
}
