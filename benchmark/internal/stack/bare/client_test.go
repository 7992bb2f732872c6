package bare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
)

// calling returns a client of a server.
func calling(t *testing.T) *client {
	t.Helper()
	c := newClient(serving(t))
	t.Cleanup(func() { c.Close() })
	return c
}

func TestGreetStream(t *testing.T) {
	c := calling(t)
	for _, count := range []int32{1, 3, 2000} {
		stream, err := c.GreetStream(t.Context(), &greetv1.GreetStreamRequest{Name: "bob", Count: count})
		if err != nil {
			t.Fatal(err)
		}
		for i := range count {
			res, err := stream.Receive()
			if want := greet.NumberedHello(i+1, "bob"); err != nil || res.GetGreeting() != want {
				t.Fatalf("message %d: got %q, %v, want %q", i+1, res.GetGreeting(), err, want)
			}
		}
		if _, err := stream.Receive(); err != io.EOF {
			t.Errorf("after %d messages: %v, want the end", count, err)
		}
		stream.Close()
	}
	if c.Connections() != 1 {
		t.Errorf("%d connections, want 1", c.Connections())
	}
}

// TestGreetStreamLeft has the next call take another connection.
func TestGreetStreamLeft(t *testing.T) {
	c := calling(t)
	for range 2 {
		stream, err := c.GreetStream(t.Context(), &greetv1.GreetStreamRequest{Name: "bob", Count: 50_000})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Receive(); err != nil {
			t.Fatal(err)
		}
		stream.Close()
		stream.Close()
	}
	if c.Connections() != 2 {
		t.Errorf("%d connections, want 2", c.Connections())
	}
}

func TestGreetCount(t *testing.T) {
	c := calling(t)
	for _, count := range []int{0, 1, 2000} {
		stream, err := c.GreetCount(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range count {
			if err := stream.Send(&greetv1.GreetCountRequest{Name: "bob"}); err != nil {
				t.Fatal(err)
			}
		}
		if res, err := stream.CloseAndReceive(); err != nil || res.GetCount() != int32(count) {
			t.Errorf("got %d, %v, want %d", res.GetCount(), err, count)
		}
	}
}

// TestGreetChat has both halves go on by themselves, with more than the sockets hold.
func TestGreetChat(t *testing.T) {
	c := calling(t)
	for _, name := range []string{"", "bob", strings.Repeat("x", 200_000)} {
		if err := chat(t.Context(), c, name, 100); err != nil {
			t.Errorf("name of %d bytes: %v", len(name), err)
		}
	}
	if c.Connections() != 1 {
		t.Errorf("%d connections, want 1", c.Connections())
	}
}

func chat(ctx context.Context, c *client, name string, messages int) error {
	chat, err := c.GreetChat(ctx)
	if err != nil {
		return err
	}
	defer chat.Close()
	sent := make(chan error, 1)
	go func() {
		for range messages {
			if err := chat.Send(&greetv1.GreetChatRequest{Name: name}); err != nil {
				sent <- err
				return
			}
		}
		sent <- chat.CloseSend()
	}()
	for range messages {
		res, err := chat.Receive()
		if err != nil || res.GetGreeting() != greet.Hi(name) {
			return fmt.Errorf("received %d bytes, %w", len(res.GetGreeting()), err)
		}
	}
	if _, err := chat.Receive(); err != io.EOF {
		return fmt.Errorf("end: %w", err)
	}
	return <-sent
}

// TestChatCancelled frees a sender whose answers nobody reads.
func TestChatCancelled(t *testing.T) {
	c := calling(t)
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := c.GreetChat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	for err == nil {
		err = stream.Send(&greetv1.GreetChatRequest{Name: strings.Repeat("x", 100_000)})
	}
	if greet.CodeOf(err) != greet.CodeUnavailable {
		t.Errorf("error %v, want unavailable", err)
	}
	stream.Close()
	if err := chat(t.Context(), c, "bob", 3); err != nil {
		t.Errorf("the next chat: %v", err)
	}
}

// TestCallsAtOnce share one connection for each mode, and get their own replies.
func TestCallsAtOnce(t *testing.T) {
	c := calling(t)
	errs := make([]error, 32)
	var calls sync.WaitGroup
	for i := range errs {
		calls.Go(func() {
			name := strings.Repeat("x", i*3000)
			for range 20 {
				res, err := c.Greet(t.Context(), &greetv1.GreetRequest{Name: name})
				if err == nil && res.GetGreeting() != greet.Hello(name) {
					err = fmt.Errorf("wrong reply of %d bytes", len(res.GetGreeting()))
				}
				errs[i] = errors.Join(errs[i], err, chat(t.Context(), c, name, 3))
			}
		})
	}
	calls.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if c.Connections() != 2 {
		t.Errorf("%d connections, want one for each mode", c.Connections())
	}
}
