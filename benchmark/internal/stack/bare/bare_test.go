package bare

import (
	"context"
	"encoding/binary"
	"net"
	"strings"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// serving serves bytes and returns where.
func serving(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, listen.Socket{TCP: l}, stack.ServeOptions{Drain: time.Second}) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("serve: %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("serve did not end")
		}
	})
	return l.Addr().String()
}

func TestGreet(t *testing.T) {
	for _, s := range Stacks() {
		t.Run(s.Name.String(), func(t *testing.T) {
			c, err := s.Dial(serving(t), stack.DialOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			for _, name := range []string{"", "bob", strings.Repeat("x", 1<<20), "ada"} {
				res, err := c.Greet(t.Context(), &greetv1.GreetRequest{Name: name})
				if err != nil || res.GetGreeting() != greet.Hello(name) {
					t.Errorf("name of %d bytes: got %d bytes, error %v", len(name), len(res.GetGreeting()), err)
				}
			}
			want := map[bool]int64{true: 1, false: 0}[s.Name.Remote()]
			if got := c.Connections(); got != want {
				t.Errorf("opened %d connections, want %d", got, want)
			}
		})
	}
}

// TestInProcessRefusesStreams: there is no stream in a function call.
func TestInProcessRefusesStreams(t *testing.T) {
	s := inProcess()
	c, err := s.Dial("", stack.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, streamErr := c.GreetStream(t.Context(), nil)
	_, countErr := c.GreetCount(t.Context())
	_, chatErr := c.GreetChat(t.Context())
	for _, err := range []error{streamErr, countErr, chatErr} {
		if greet.CodeOf(err) != greet.CodeUnimplemented {
			t.Errorf("%s: error %v, want unimplemented", s.Name, err)
		}
	}
	if got := s.Modes(); len(got) != 1 || got[0] != greet.Unary {
		t.Errorf("%s carries %v, want unary alone", s.Name, got)
	}
}

// TestServerThatAnswersNothing sees a call end at its deadline, and the next call
// on a connection of its own.
func TestServerThatAnswersNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // never accepts: the kernel does
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := newClient(l.Addr().String())
	defer c.Close()
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := c.Greet(ctx, &greetv1.GreetRequest{Name: "x"})
		cancel()
		if greet.CodeOf(err) != greet.CodeDeadlineExceeded {
			t.Errorf("error %v, want deadline exceeded", err)
		}
	}
	if got := c.Connections(); got != 2 {
		t.Errorf("opened %d connections, want 2", got)
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := newClient(l.Addr().String())
	if _, err := c.Greet(t.Context(), &greetv1.GreetRequest{}); greet.CodeOf(err) != greet.CodeUnavailable {
		t.Errorf("error %v, want unavailable", err)
	}
}

// TestServerRefusesGiants sees the connection end rather than 4 GiB be allocated.
func TestServerRefusesGiants(t *testing.T) {
	conn, err := net.Dial("tcp", serving(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := conn.Write(binary.BigEndian.AppendUint32(nil, 1<<32-1)); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d bytes, error %v, want the end", n, err)
	}
}
