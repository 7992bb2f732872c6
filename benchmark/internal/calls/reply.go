package calls

import (
	"errors"
	"fmt"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
)

const (
	// edge is how much of each end of a large reply is compared.
	edge = 64
	// largeReply is the length from which a reply is checked by its length and its
	// edges: comparing all of it would cost the client a pass over memory that no
	// real client makes.
	largeReply = 64 << 10
)

// WrongReplyError is the error of a call that ended well with anything but the right reply.
type WrongReplyError struct{ Method, Got, Want string }

// Error says what came in place of what.
func (e *WrongReplyError) Error() string { return e.Method + ": got " + e.Got + ", want " + e.Want }

// CheckReply returns a *WrongReplyError unless got is the reply that is due.
func CheckReply(method, got, want string) error {
	if right(got, want) {
		return nil
	}
	return &WrongReplyError{method, abridged(got), abridged(want)}
}

func right(got, want string) bool {
	if len(got) != len(want) || len(want) < largeReply {
		return got == want
	}
	return got[:edge] == want[:edge] && got[len(got)-edge:] == want[len(want)-edge:]
}

// Failed is the outcome of a call that ended with the error.
func Failed(err error) load.Outcome {
	if wrong, ok := errors.AsType[*WrongReplyError](err); ok {
		return load.Outcome{Code: result.WrongReplyCode, Text: wrong.Error()}
	}
	return load.Outcome{Code: greet.CodeOf(err).String(), Text: err.Error()}
}

// abridged quotes a text, or the edges of one that does not fit a line.
func abridged(s string) string {
	if len(s) <= 2*edge {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…%q (%d bytes)", s[:edge/2], s[len(s)-edge/2:], len(s))
}
