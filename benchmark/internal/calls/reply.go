package calls

import (
	"errors"
	"fmt"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
)

// edge is how much of each end of a large reply an error quotes.
const edge = 32

// WrongReplyError is the error of a call that ended with status OK and a wrong reply.
type WrongReplyError struct{ Method, Got, Want string }

// Error says what came in place of what.
func (e *WrongReplyError) Error() string { return e.Method + ": got " + e.Got + ", want " + e.Want }

// CheckReply returns a *WrongReplyError unless got equals want, byte by byte. Comparing 2 MiB takes
// the client about 1% of the time of the call.
func CheckReply(method, got, want string) error {
	if got == want {
		return nil
	}
	return &WrongReplyError{method, abridged(got), abridged(want)}
}

// Failed is the outcome of a call that ended with the error.
func Failed(err error) load.Outcome {
	if wrong, ok := errors.AsType[*WrongReplyError](err); ok {
		return load.Outcome{Code: result.WrongReplyCode, Text: wrong.Error()}
	}
	return load.Outcome{Code: greet.CodeOf(err).String(), Text: err.Error()}
}

// abridged quotes a text. Of one that is too long for a line it quotes the two ends.
func abridged(s string) string {
	if len(s) <= 4*edge {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…%q (%d bytes)", s[:edge], s[len(s)-edge:], len(s))
}

// ClientFailedCode is the error code of a slice for which a caller in another process gave no valid
// answer.
const ClientFailedCode = "client_failed"

// ClientFailed returns the tally for a slice whose caller failed with err.
func ClientFailed(err error) load.Tally {
	return load.Tally{Errors: map[string]int64{ClientFailedCode: 1}, Text: err.Error()}
}
