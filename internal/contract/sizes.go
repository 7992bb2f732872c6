package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const mebi = 1 << 20

// sizes checks large messages. The limit is stack.MaxMessageBytes both ways.
func sizes() []Behaviour {
	large := perMode("1 MiB message", greet.Modes, func(ctx context.Context, client stack.Client, m greet.Mode) error {
		return call(ctx, client, m, strings.Repeat("x", mebi))
	})
	tooLarge := perMode("5 MiB message is refused", greet.Modes, func(ctx context.Context, client stack.Client, m greet.Mode) error {
		return wantCode(call(ctx, client, m, strings.Repeat("x", 5*mebi)), greet.CodeResourceExhausted)
	})
	list := slices.Concat(large, tooLarge)
	for _, m := range []greet.Mode{greet.Unary, greet.ServerStream, greet.Bidi} {
		list = append(list, Behaviour{
			Name:  "reply too large is refused, " + string(m),
			Needs: []greet.Mode{m},
			Check: func(ctx context.Context, client stack.Client, s Subject) error {
				return replyTooLarge(ctx, client, s, m)
			},
		})
	}
	return list
}

// replyTooLarge sends a request just small enough for the limit. The reply adds words to the name
// and exceeds it. The client may lose that call and nothing else.
func replyTooLarge(ctx context.Context, client stack.Client, s Subject, m greet.Mode) error {
	if err := wantCode(call(ctx, client, m, LargestName(s.Stack.Name)), greet.CodeResourceExhausted); err != nil {
		return err
	}
	if err := call(ctx, client, m, "again"); err != nil {
		return fmt.Errorf("call after the refused one: %w", err)
	}
	return nil
}

// LargestName returns the longest name that a request has room for.
func LargestName(n stack.Name) string {
	around := 1 + 4 // a field's tag and length (https://protobuf.dev/programming-guides/encoding)
	if n.Has("json") {
		around = len(`{"name":""}`)
	}
	return strings.Repeat("x", stack.MaxMessageBytes-around)
}
