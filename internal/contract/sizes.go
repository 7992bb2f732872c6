package contract

import (
	"context"
	"fmt"
	"strings"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const mebi = 1 << 20

// sizes are about large messages. The limit is stack.MaxMessageBytes both ways.
func sizes() []Behaviour {
	large := perMode("1 MiB message", greet.Modes, func(ctx context.Context, client stack.Client, m greet.Mode) error {
		return call(ctx, client, m, strings.Repeat("x", mebi))
	})
	tooLarge := perMode("5 MiB message is refused", greet.Modes, func(ctx context.Context, client stack.Client, m greet.Mode) error {
		return wantCode(call(ctx, client, m, strings.Repeat("x", 5*mebi)), greet.CodeResourceExhausted)
	})
	replies := []Behaviour{
		{Name: "reply too large is refused, unary", Needs: []greet.Mode{greet.Unary}, Check: replyTooLarge(greet.Unary)},
		{Name: "reply too large is refused, server_stream", Needs: []greet.Mode{greet.ServerStream}, Check: replyTooLarge(greet.ServerStream)},
		{Name: "reply too large is refused, bidi", Needs: []greet.Mode{greet.Bidi}, Check: replyTooLarge(greet.Bidi)},
		{Name: "connection serves on after a refusal", Needs: []greet.Mode{greet.Unary}, Check: servesOn},
	}
	return append(append(large, tooLarge...), replies...)
}

// replyTooLarge sends what is just small enough, so that the reply, with the
// words around the name, is too large.
func replyTooLarge(m greet.Mode) func(context.Context, stack.Client, Subject) error {
	return func(ctx context.Context, client stack.Client, s Subject) error {
		return wantCode(call(ctx, client, m, largestName(s.Stack.Name)), greet.CodeResourceExhausted)
	}
}

// largestName is the longest name for which a request is not too large.
func largestName(n stack.Name) string {
	around := 1 + 4 // a field's tag and length (https://protobuf.dev/programming-guides/encoding)
	if n.Has("json") {
		around = len(`{"name":""}`)
	}
	return strings.Repeat("x", stack.MaxMessageBytes-around)
}

func servesOn(ctx context.Context, client stack.Client, s Subject) error {
	if err := replyTooLarge(greet.Unary)(ctx, client, s); err != nil {
		return err
	}
	if err := hello(ctx, client, "again"); err != nil {
		return fmt.Errorf("call after the refused one: %w", err)
	}
	return nil
}

// refusals checks a stack's own statement of the modes that it does not carry.
// That it carries the others is checked by everything else here.
func refusals() []Behaviour {
	return []Behaviour{{Name: "modes that the stack refuses fail clearly", Check: refusedModesFail}}
}

func refusedModesFail(ctx context.Context, client stack.Client, s Subject) error {
	ctx, cancel := context.WithTimeout(ctx, prompt)
	defer cancel()
	for _, m := range greet.Modes {
		if s.Stack.Carries(m) {
			continue
		}
		switch err := call(ctx, client, m, "anyone"); greet.CodeOf(err) {
		case greet.OK:
			return fmt.Errorf("%s works, yet the stack refuses it: %s", m, s.Stack.Refuses[m])
		case greet.CodeCanceled, greet.CodeDeadlineExceeded:
			return fmt.Errorf("%s: got %w, want an error that says why not", m, err)
		}
	}
	return nil
}
