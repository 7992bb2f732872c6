package hardening_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// drainedStacks come by each way into the built server.
func drainedStacks(t *testing.T) []stack.Stack {
	t.Helper()
	all := stacks(t)
	return []stack.Stack{
		connectgo.New(stack.Connect, stack.H1, "proto"),
		connectgo.New(stack.Connect, stack.H2C, "proto"),
		connectgo.New(stack.Connect, stack.H2, "proto"),
		connectgo.New(stack.Connect, stack.H3, "proto"),
		all[len(all)-1], // grpc-go
	}
}

// TestDrain stops the built server with 90 calls of 500 ms in flight on each way
// into it. The client makes them last: it says something, and the rest later.
func TestDrain(t *testing.T) { forEachHTTP2(t, testDrain) }

func testDrain(t *testing.T, flag string) {
	const (
		calls = 90
		limit = 10 * time.Second
	)
	server := startServer(t, flag, "--drain", limit.String())
	ctx, cancel := context.WithTimeout(t.Context(), limit+patience)
	defer cancel()
	ways := drainedStacks(t)
	var begun, ended sync.WaitGroup
	begun.Add(calls * len(ways))
	signalled := make(chan struct{})
	for _, s := range ways {
		client := server.client(t, s)
		for range calls {
			ended.Go(func() {
				var once sync.Once
				inFlight := func() {
					once.Do(begun.Done)
					<-signalled
					time.Sleep(500 * time.Millisecond)
				}
				err := longCall(ctx, client, s.Carries(greet.Bidi), inFlight)
				once.Do(begun.Done)
				if err != nil {
					t.Errorf("%s: a call in flight ended with %v", s.Name, err)
				}
			})
		}
	}
	begun.Wait()
	server.signal(t, syscall.SIGTERM)
	asked := time.Now()
	close(signalled)
	ended.Wait()
	if err := server.wantExit(t, limit+time.Second+slack-time.Since(asked)); err != nil {
		t.Errorf("exit: %v, want code 0", err)
	}
}

// longCall is a chat, or where there are none a count. It calls inFlight in the
// middle, in a chat once the server has answered. A count is in flight as soon as
// it is sent: the server takes calls for a moment after it is told to stop.
func longCall(ctx context.Context, c stack.Client, chats bool, inFlight func()) error {
	if !chats {
		return longCount(ctx, c, inFlight)
	}
	chat, err := c.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	for i := range 2 {
		if err := chat.Send(&greetv1.GreetChatRequest{Name: "x"}); err != nil {
			return fmt.Errorf("send %d: %w", i+1, err)
		}
		if _, err := chat.Receive(); err != nil {
			return fmt.Errorf("receive %d: %w", i+1, err)
		}
		if i == 0 {
			inFlight()
		}
	}
	if err := chat.CloseSend(); err != nil {
		return err
	}
	if _, err := chat.Receive(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("end: %w, want io.EOF", err)
	}
	return nil
}

func longCount(ctx context.Context, c stack.Client, inFlight func()) error {
	count, err := c.GreetCount(ctx)
	if err != nil {
		return err
	}
	for i := range 2 {
		if err := count.Send(&greetv1.GreetCountRequest{Name: "x"}); err != nil {
			return fmt.Errorf("send %d: %w", i+1, err)
		}
		if i == 0 {
			inFlight()
		}
	}
	res, err := count.CloseAndReceive()
	if err == nil && res.GetCount() != 2 {
		return fmt.Errorf("the server counted %d, want 2", res.GetCount())
	}
	return err
}

// holdChats opens an idle chat by each way that carries one, and returns a
// function that waits until the server has cut them all.
func holdChats(t *testing.T, server *serverProcess) (wantCut func()) {
	t.Helper()
	var receive []func() error
	for _, s := range drainedStacks(t) {
		if !s.Carries(greet.Bidi) {
			continue
		}
		chat, err := server.client(t, s).GreetChat(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = chat.Close() })
		if err := chat.Send(&greetv1.GreetChatRequest{Name: "x"}); err != nil {
			t.Fatal(err)
		}
		if _, err := chat.Receive(); err != nil {
			t.Fatal(err)
		}
		receive = append(receive, func() error {
			_, err := chat.Receive()
			if errors.Is(err, io.EOF) {
				return fmt.Errorf("%s: a chat that was cut ended cleanly", s.Name)
			}
			return nil
		})
	}
	return func() {
		t.Helper()
		for _, f := range receive {
			if err := f(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDrainCutsIdleChats has chats that would go on for ever.
func TestDrainCutsIdleChats(t *testing.T) { forEachHTTP2(t, testDrainCutsIdleChats) }

func testDrainCutsIdleChats(t *testing.T, flag string) {
	const limit = time.Second
	server := startServer(t, flag, "--drain", limit.String())
	wantCut := holdChats(t, server)
	server.signal(t, syscall.SIGTERM)
	asked := time.Now()
	wantCut()
	if took := time.Since(asked); took < limit {
		t.Errorf("the chats were cut after %v, want at least %v", took, limit)
	}
	if err := server.wantExit(t, limit+time.Second+slack-time.Since(asked)); err != nil {
		t.Errorf("exit: %v, want code 0", err)
	}
}

// TestSecondSignalEndsAtOnce has a drain that would take long.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	server := startServer(t, "--drain=1m")
	_ = holdChats(t, server) // their clients may learn of it much later, over QUIC
	server.signal(t, syscall.SIGTERM)
	wantNotServing(t, server.addr["grpc"])
	server.signal(t, syscall.SIGTERM)
	err := server.wantExit(t, slack)
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 130 {
		t.Errorf("exit: %v, want code 130", err)
	}
}

// TestNotServingBeforeListenersClose asks by new connections, which only a
// listener that is open takes.
func TestNotServingBeforeListenersClose(t *testing.T) {
	for _, label := range []string{"connect", "grpc"} {
		t.Run(label, func(t *testing.T) {
			server := startServer(t)
			if got, err := health(t.Context(), server.addr[label]); err != nil || got != grpc_health_v1.HealthCheckResponse_SERVING {
				t.Fatalf("health is %v, %v before the signal", got, err)
			}
			server.signal(t, syscall.SIGTERM)
			wantNotServing(t, server.addr[label])
			if err := server.wantExit(t, patience); err != nil {
				t.Errorf("exit: %v, want code 0", err)
			}
		})
	}
}

// wantNotServing asks until the answer is NOT_SERVING.
func wantNotServing(t *testing.T, addr string) {
	t.Helper()
	for {
		got, err := health(t.Context(), addr)
		if err != nil {
			t.Fatalf("the listener at %s closed before health said so: %v", addr, err)
		}
		if got == grpc_health_v1.HealthCheckResponse_NOT_SERVING {
			return
		}
	}
}

// health asks a server by a connection of its own.
func health(ctx context.Context, addr string) (grpc_health_v1.HealthCheckResponse_ServingStatus, error) {
	conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	res, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	return res.GetStatus(), err
}
