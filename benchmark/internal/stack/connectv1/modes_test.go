package connectv1

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

func TestGreet(t *testing.T) {
	forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
		res, err := c.Greet(soon(t), &greetv1.GreetRequest{Name: "wörld"})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := res.GetGreeting(), "Hello, wörld!"; got != want {
			t.Errorf("greeting is %q, want %q", got, want)
		}
	})
}

func TestGreetStream(t *testing.T) {
	forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
		stream, err := c.GreetStream(soon(t), &greetv1.GreetStreamRequest{Name: "you", Count: 3})
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		var got []string
		for {
			res, err := stream.Receive()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, res.GetGreeting())
		}
		want := []string{"Hello #1, you!", "Hello #2, you!", "Hello #3, you!"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("greetings (-want +got):\n%s", diff)
		}
		if err := stream.Close(); err != nil {
			t.Errorf("close after the end: %v", err)
		}
	})
}

func TestGreetCount(t *testing.T) {
	for _, want := range []int32{0, 1, 20} {
		forEach(t, func(t *testing.T, _ stack.Stack, c stack.Client) {
			stream, err := c.GreetCount(soon(t))
			if err != nil {
				t.Fatal(err)
			}
			for range want {
				if err := stream.Send(&greetv1.GreetCountRequest{Name: "x"}); err != nil {
					t.Fatal(err)
				}
			}
			res, err := stream.CloseAndReceive()
			if err != nil {
				t.Fatal(err)
			}
			if got := res.GetCount(); got != want {
				t.Errorf("server counted %d requests, want %d", got, want)
			}
		})
	}
}

// TestGreetChat holds a conversation on the stacks that carry one, and checks
// that the others refuse it.
func TestGreetChat(t *testing.T) {
	forEach(t, func(t *testing.T, s stack.Stack, c stack.Client) {
		if !s.Carries(greet.Bidi) {
			checkRefused(t, c)
			return
		}
		chat, err := c.GreetChat(soon(t))
		if err != nil {
			t.Fatal(err)
		}
		defer chat.Close()
		for _, name := range []string{"alice", "", "carol"} {
			if err := chat.Send(&greetv1.GreetChatRequest{Name: name}); err != nil {
				t.Fatal(err)
			}
			res, err := chat.Receive()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := res.GetGreeting(), "Hi, "+name+"!"; got != want {
				t.Errorf("greeting is %q, want %q", got, want)
			}
		}
		if err := chat.CloseSend(); err != nil {
			t.Fatal(err)
		}
		if _, err := chat.Receive(); !errors.Is(err, io.EOF) {
			t.Errorf("receive after the end: %v, want io.EOF", err)
		}
	})
}

func checkRefused(t *testing.T, c stack.Client) {
	t.Helper()
	chat, err := c.GreetChat(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	defer chat.Close()
	// The server may refuse before it has read this, so the send may fail too.
	if err := chat.Send(&greetv1.GreetChatRequest{Name: "x"}); err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("send: %v, want nil or io.EOF", err)
	}
	if err := chat.CloseSend(); err != nil {
		t.Errorf("close send: %v", err)
	}
	res, err := chat.Receive()
	if greet.CodeOf(err) == greet.OK {
		t.Fatalf("received %v, want a refusal", res)
	}
	t.Log(err)
}
