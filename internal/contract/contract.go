package contract

import (
	"context"
	"crypto/tls"
	"fmt"
	"iter"
	"slices"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// patience bounds one check. It is far longer than any check needs: only a call that hangs reaches
// it, and fails with deadline_exceeded.
const patience = 30 * time.Second

// Behaviour is one thing that a client and a server together must do.
type Behaviour struct {
	Name string
	// Needs are the modes without which there is nothing to check.
	Needs []greet.Mode
	// NeedsDemo says that the check talks to the metadata echo or the call log.
	NeedsDemo bool
	// Long says that the check moves many messages, which takes about a second.
	Long bool
	// NeedsPlain says that the check expects a refusal of a reply that is too large. With
	// compression the reply would be small enough.
	NeedsPlain bool
	// Kills says that the server is dead afterwards.
	Kills bool
	// Check returns nil, or an error that says what was got and what was wanted.
	// The client has not been used before; calls must be made under ctx.
	Check func(ctx context.Context, client stack.Client, s Subject) error
}

// Subject is a server, and the stack whose client calls it. The two ends may be
// of different libraries.
type Subject struct {
	// Stack makes the clients, and says which modes it carries.
	Stack stack.Stack
	// Addr is where the server listens, "host:port".
	Addr string
	// TLS says whom the clients trust. Transports without TLS ignore it.
	TLS *tls.Config
	// Demo says that the server runs with a stack.Demo.
	Demo bool
	// Kill ends the server at once, calls in flight and all. It is nil for a
	// server that has to live on.
	Kill func()
}

// All lists the behaviours. Those that kill the server come last.
func All() []Behaviour {
	return slices.Concat(texts(), counts(), chats(), sizes(), refusals(), ends(), connections(), echoes(), deaths())
}

// Skips says why the behaviour cannot be checked of s. It is empty when it can.
func (b Behaviour) Skips(s Subject) string {
	for _, m := range b.Needs {
		if !s.Stack.Carries(m) {
			return fmt.Sprintf("the stack does not carry %s: %s", m, s.Stack.Refuses[m])
		}
	}
	switch {
	case b.NeedsDemo && !s.Demo:
		return "the server echoes no metadata"
	case b.NeedsPlain && s.Stack.Name.Has("gzip"):
		return "the server has no error to send: what is too large is small once compressed"
	case b.Kills && s.Kill == nil:
		return "the server has to live on"
	}
	return ""
}

// Verify checks the behaviour with a client of its own, which it closes.
func (b Behaviour) Verify(ctx context.Context, s Subject) error {
	client, err := s.dial(0)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel() // before Close, which wants no call in flight
	if err := b.Check(ctx, client, s); err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	return nil
}

// dial makes a client for inFlight calls at once, or any number when it is 0.
func (s Subject) dial(inFlight int) (stack.Client, error) {
	client, err := s.Stack.Dial(s.Addr, stack.DialOptions{TLS: s.TLS, InFlight: inFlight})
	if err != nil {
		return nil, fmt.Errorf("dial %s with %s: %w", s.Addr, s.Stack.Name, err)
	}
	return client, nil
}

// Outcome is what the check of one behaviour yielded.
type Outcome struct {
	Behaviour string
	Skipped   string // why it was not checked; empty if it was
	Err       error  // what is wrong; nil if it holds or was skipped
}

// Verify checks every behaviour of s, one after another, and yields what came of
// each as soon as it is known.
func Verify(ctx context.Context, s Subject) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		for _, b := range All() {
			outcome := Outcome{Behaviour: b.Name, Skipped: b.Skips(s)}
			if outcome.Skipped == "" {
				outcome.Err = b.Verify(ctx, s)
			}
			if !yield(outcome) {
				return
			}
		}
	}
}

// perMode makes one behaviour of each mode given.
func perMode(name string, modes []greet.Mode, check func(context.Context, stack.Client, greet.Mode) error) []Behaviour {
	var list []Behaviour
	for _, m := range modes {
		list = append(list, Behaviour{
			Name:  name + ", " + string(m),
			Needs: []greet.Mode{m},
			Check: func(ctx context.Context, client stack.Client, _ Subject) error { return check(ctx, client, m) },
		})
	}
	return list
}

// streaming are the modes in which a call can be in mid-stream.
var streaming = []greet.Mode{greet.ServerStream, greet.ClientStream, greet.Bidi}
