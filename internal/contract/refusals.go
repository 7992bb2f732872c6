package contract

import (
	"context"
	"fmt"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// refusals checks that a stack fails in the modes that it says it does not carry. All other checks
// show that it carries the rest.
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
