package floor_test

import (
	"context"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"example.com/greet/internal/contract"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/floor"
	"example.com/greet/internal/stack/grpcgo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestContract holds both ends of the floor, and each with the ends of others, to
// what every stack must do.
func TestContract(t *testing.T) {
	ours := floor.Stacks()[0]
	grpc, err := grpcgo.New(stack.H2C)
	if err != nil {
		t.Fatal(err)
	}
	connect := connectgo.New(stack.GRPC, stack.H2C, "proto")
	for _, pair := range []struct {
		name           string
		client, server stack.Stack
	}{
		{"floor to floor", ours, ours},
		{"floor to grpc-go", ours, grpc},
		{"floor to connect-go", ours, connect},
		{"grpc-go to floor", grpc, ours},
		{"connect-go to floor", connect, ours},
	} {
		t.Run(pair.name, func(t *testing.T) {
			for _, demo := range []bool{false, true} {
				t.Run(map[bool]string{false: "bare", true: "demo"}[demo], func(t *testing.T) {
					t.Parallel()
					verify(t, pair.client, pair.server, demo)
				})
			}
		})
	}
}

// verify checks every behaviour. What kills the server has one of its own.
func verify(t *testing.T, client, server stack.Stack, demo bool) {
	shared := serve(t, client, server, demo)
	shared.Kill = nil
	for _, b := range contract.All() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			s := shared
			if b.Kills {
				s = serve(t, client, server, demo)
			}
			if why := b.Skips(s); why != "" {
				t.Skip(why)
			}
			if err := b.Verify(t.Context(), s); err != nil {
				t.Error(err)
			}
		})
	}
}

// serve starts a server, which ends with the test.
func serve(t *testing.T, client, server stack.Stack, demo bool) contract.Subject {
	t.Helper()
	socket, err := listen.Bind("127.0.0.1:0", true, false)
	if err != nil {
		t.Fatal(err)
	}
	var options stack.ServeOptions
	ctx, kill := context.WithCancel(context.Background())
	if demo {
		log := slog.New(slog.DiscardHandler)
		options.Demo = &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: ctx.Done()}
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		// That calls were cut is no fault of a server that is killed.
		if err := server.Serve(ctx, socket, options); err != nil && ctx.Err() == nil {
			t.Errorf("serve %s: %v", server.Name, err)
		}
	}()
	end := func() {
		kill()
		<-served
		socket.Close()
	}
	t.Cleanup(end)
	return contract.Subject{Stack: client, Addr: socket.Addr(), Demo: demo, Kill: end}
}
