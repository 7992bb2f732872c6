package grpcgo

import (
	"context"
	"strings"
	"testing"
	"time"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// TestExperimentsAnswer calls each over both kinds of call: settings that break
// the library must not be measured.
func TestExperimentsAnswer(t *testing.T) {
	for _, s := range Experiments() {
		t.Run(s.Name.String(), func(t *testing.T) {
			if why := Refuses(s.Name); why != "" {
				t.Errorf("refused: %s", why)
			}
			r := start(t, func(ctx context.Context, socket listen.Socket) error {
				return s.Serve(ctx, socket, stack.ServeOptions{Drain: time.Second})
			})
			c, err := s.Dial(r.addr, stack.DialOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			name := strings.Repeat("x", 1<<20)
			res, err := c.Greet(soon(t), &greetv1.GreetRequest{Name: name})
			if err != nil || res.GetGreeting() != greet.Hello(name) {
				t.Errorf("got %d bytes, error %v", len(res.GetGreeting()), err)
			}
			chat, err := c.GreetChat(soon(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := exchange(chat); err != nil {
				t.Error(err)
			}
			if err := chat.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestEachSettingChangesSomething guards against a variant that is the plain stack.
func TestEachSettingChangesSomething(t *testing.T) {
	for _, s := range allSettings {
		if len(s.server)+len(s.client) == 0 {
			t.Errorf("%s changes nothing", s.variant)
		}
		name := of(stack.H2C, s.variant).Name
		if got := len(serverOptions(name)); got != len(s.server) {
			t.Errorf("%s: %d server options, want %d", s.variant, got, len(s.server))
		}
		if got := len(dialOptions(name)); got != len(s.client) {
			t.Errorf("%s: %d client options, want %d", s.variant, got, len(s.client))
		}
	}
}
