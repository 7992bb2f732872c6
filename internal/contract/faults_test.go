package contract_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/greet/internal/contract"
	"example.com/greet/internal/contract/contracttest"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// faults are what a client or a server may get wrong, each with the behaviours
// that must notice. Between them they show that every behaviour can fail.
var faults = []struct {
	name    string
	fault   fault
	refuses map[greet.Mode]string
	noticed []string
}{{
	name:    "names are trimmed",
	fault:   fault{greeting: func(s string) string { return strings.ReplaceAll(s, "  ", " ") }},
	noticed: []string{"any name, unary", "any name, server_stream", "any name, bidi"},
}, {
	name:  "a message is lost",
	fault: fault{lose: true},
	noticed: []string{
		"any name, client_stream", "fifty greetings in order", "largest count is served in full",
		"client stream of one counts 1", "client stream of a thousand counts 1000",
		"conversation", "chat with all replies owed at the half-close", "chat of a thousand, both sides at will",
	},
}, {
	name:    "the count includes the half-close",
	fault:   fault{add: 1},
	noticed: []string{"empty client stream counts 0"},
}, {
	name:    "an empty stream is an error",
	fault:   fault{failure: replace(io.EOF, &greet.Error{Code: greet.CodeInternal})},
	noticed: []string{"count of zero ends at once", "chat without a word"},
}, {
	name:    "replies wait for the half-close",
	fault:   fault{withhold: true},
	noticed: []string{"conversation"},
}, {
	name:    "an error loses its details",
	fault:   fault{failure: func(err error) error { return change(err, func(e *greet.Error) { e.Details = nil }) }},
	noticed: []string{"count above the largest is refused", "huge count is refused", "negative count is refused", "metadata comes with an error"},
}, {
	name:    "an error loses its text",
	fault:   fault{failure: func(err error) error { return change(err, func(e *greet.Error) { e.Message = "failed" }) }},
	noticed: []string{"negative count is refused"},
}, {
	name:  "every failure is unavailable",
	fault: fault{failure: func(err error) error { return change(err, func(e *greet.Error) { e.Code = greet.CodeUnavailable }) }},
	noticed: []string{
		"cancelled before it begins, unary", "cancelled before it begins, server_stream",
		"cancelled before it begins, client_stream", "cancelled before it begins, bidi",
		"cancelled in mid-stream, server_stream", "cancelled in mid-stream, client_stream", "cancelled in mid-stream, bidi",
		"deadline passed before it begins, unary", "deadline passed before it begins, server_stream",
		"deadline passed before it begins, client_stream", "deadline passed before it begins, bidi",
		"5 MiB message is refused, unary", "5 MiB message is refused, server_stream",
		"5 MiB message is refused, client_stream", "5 MiB message is refused, bidi",
		"reply too large is refused, unary", "reply too large is refused, server_stream", "reply too large is refused, bidi",
		"error reaches a slow sender",
	},
}, {
	name:    "a passed deadline is called a cancellation",
	fault:   fault{failure: func(err error) error { return change(err, lateIsCanceled) }},
	noticed: []string{"deadline in mid-stream, server_stream", "deadline in mid-stream, client_stream", "deadline in mid-stream, bidi"},
}, {
	name:  "a cut stream ends cleanly",
	fault: fault{failure: func(error) error { return io.EOF }},
	noticed: []string{
		"streams cut by the server's death", "cancelled in mid-stream, server_stream",
		"count above the largest is refused",
	},
}, {
	name:    "the limit is too low",
	fault:   fault{limit: 1 << 19},
	noticed: []string{"1 MiB message, unary", "1 MiB message, server_stream", "1 MiB message, client_stream", "1 MiB message, bidi"},
}, {
	name:    "each failed call costs the connection",
	fault:   fault{dieAfterFailure: true},
	noticed: []string{"reply too large is refused, unary"},
}, {
	name:    "too many connections",
	fault:   fault{connections: 1},
	noticed: []string{"many calls at once", "a thousand streams in a row", "stream closed early", "chat closed early"},
}, {
	name:    "sends into a dead stream succeed",
	fault:   fault{deafSender: true},
	noticed: []string{"error reaches a slow sender"},
}, {
	name:  "metadata is dropped",
	fault: fault{noMetadata: true},
	noticed: []string{
		"metadata there and back, unary", "metadata there and back, server_stream",
		"metadata there and back, client_stream", "metadata there and back, bidi", "metadata comes with an error",
		"server sees the cancellation, server_stream", "server sees the cancellation, bidi",
	},
}, {
	name:    "a stack carries what it says it refuses",
	refuses: map[greet.Mode]string{greet.Bidi: "so it says"},
	noticed: []string{"modes that the stack refuses fail clearly"},
}}

// TestFaultsAreNoticed puts the faults between the contract and a client that
// has none.
func TestFaultsAreNoticed(t *testing.T) {
	honest := grpcOver(t, stack.H2C)
	p := contracttest.Both(honest)
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shared := contracttest.Serve(t, p, true)
			for _, name := range tt.noticed {
				b := behaviour(t, name)
				s := shared
				if b.Kills {
					s = contracttest.Serve(t, p, true)
				}
				s.Stack.Dial = tt.fault.dial(honest)
				s.Stack.Refuses = tt.refuses
				// What hangs need not do so for long.
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if err := b.Verify(ctx, s); err == nil {
					t.Errorf("%q does not notice that %s", name, tt.name)
				}
			}
		})
	}
}

// TestEveryBehaviourCanFail holds the list of faults against the table.
func TestEveryBehaviourCanFail(t *testing.T) {
	var noticed []string
	for _, f := range faults {
		noticed = append(noticed, f.noticed...)
	}
	seen := map[string]bool{}
	for _, b := range contract.All() {
		if !slices.Contains(noticed, b.Name) {
			t.Errorf("no fault is noticed by %q", b.Name)
		}
		if seen[b.Name] {
			t.Errorf("two behaviours are called %q", b.Name)
		}
		seen[b.Name] = true
	}
}

func behaviour(t *testing.T, name string) contract.Behaviour {
	t.Helper()
	all := contract.All()
	i := slices.IndexFunc(all, func(b contract.Behaviour) bool { return b.Name == name })
	if i < 0 {
		t.Fatalf("there is no behaviour %q", name)
	}
	return all[i]
}
