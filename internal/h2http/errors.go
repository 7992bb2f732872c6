package h2http

import (
	"errors"
	"fmt"

	"example.com/greet/internal/h2"
)

// StreamError says that a stream ended before its request or response was whole.
type StreamError struct{ End h2.End }

// Error says who ended it, and how.
func (e *StreamError) Error() string {
	switch e.End.By {
	case h2.Lost:
		return "the connection ended under the stream"
	case h2.Local:
		return fmt.Sprintf("the stream was reset: %s", e.End.Code)
	case h2.Peer, h2.Refused:
		return fmt.Sprintf("the peer reset the stream: %s", e.End.Code)
	}
	return "the stream has ended"
}

var (
	errHandlerDone = errors.New("the handler has returned")
	errTooLong     = errors.New("the body is longer than its content-length")
	errTooShort    = errors.New("the body is shorter than its content-length")
)
