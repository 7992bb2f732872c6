package contract

import (
	"errors"
	"fmt"
	"io"

	"example.com/greet/internal/greet"
)

// wantText compares a greeting.
func wantText(got, want string) error {
	if got == want {
		return nil
	}
	if len(got) != len(want) {
		return fmt.Errorf("got %s of %d bytes, want %s of %d bytes", short(got), len(got), short(want), len(want))
	}
	return fmt.Errorf("got %s, want %s", short(got), short(want))
}

// short quotes a text, or the beginning of a long one.
func short(text string) string {
	const most = 80
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// wantCode compares how a call ended.
func wantCode(err error, want greet.Code) error {
	if got := greet.CodeOf(err); got != want {
		if err == nil {
			return fmt.Errorf("got success, want %s", want)
		}
		return fmt.Errorf("got %s (%w), want %s", got, err, want)
	}
	return nil
}

// wantEnd receives once more after the last message, and wants the end of the stream.
func wantEnd[T any](receive func() (T, error)) error {
	switch extra, err := receive(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return fmt.Errorf("got %w, want a clean end of the stream", err)
	default:
		return fmt.Errorf("got another message %s, want the end of the stream", short(fmt.Sprint(extra)))
	}
}
