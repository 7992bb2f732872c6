package connectv1

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts s and returns its address. It is stopped when the test ends.
func serve(t *testing.T, s stack.Stack) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(ctx, listen.Socket{TCP: l}, stack.ServeOptions{Drain: 2 * time.Second})
	}()
	t.Cleanup(func() {
		stop()
		// Tests that give up on a call may leave its handler on the way out.
		if err := <-served; err != nil && !isCut(err) {
			t.Errorf("serve: %v", err)
		}
		l.Close()
	})
	return l.Addr().String()
}

func isCut(err error) bool {
	_, ok := errors.AsType[*listen.CutError](err)
	return ok
}

// dialTo returns a client of the server at addr, closed when the test ends.
func dialTo(t *testing.T, s stack.Stack, addr string) stack.Client {
	t.Helper()
	c, err := s.Dial(addr, stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// forEach runs the test once for every stack of the package.
func forEach(t *testing.T, test func(t *testing.T, s stack.Stack, c stack.Client)) {
	for _, s := range Stacks() {
		t.Run(s.Name.String(), func(t *testing.T) {
			test(t, s, dialTo(t, s, serve(t, s)))
		})
	}
}

// soon bounds a test's calls: none of them takes long.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}
