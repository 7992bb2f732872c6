package contract

import (
	"context"
	"fmt"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// deaths checks what a client reports when its server dies.
func deaths() []Behaviour {
	return []Behaviour{{Name: "streams cut by the server's death", Kills: true, Check: cutByDeath}}
}

// cutByDeath kills the server while a call of every mode is in mid-stream. No call may report a
// clean end, or an error that blames the client.
func cutByDeath(ctx context.Context, client stack.Client, s Subject) error {
	ends := map[greet.Mode]func() error{}
	for _, m := range streaming {
		if !s.Stack.Carries(m) {
			continue
		}
		end, err := hold(ctx, client, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		ends[m] = end
	}
	s.Kill()
	for m, end := range ends {
		if err := promptly(func() error { return wantCut(end()) }); err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
	}
	return nil
}

func wantCut(err error) error {
	switch greet.CodeOf(err) {
	case greet.OK:
		return fmt.Errorf("got a clean end, want an error")
	case greet.CodeCanceled, greet.CodeDeadlineExceeded:
		return fmt.Errorf("got %w, which is not what happened", err)
	}
	return nil
}
