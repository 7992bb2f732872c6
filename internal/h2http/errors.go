package h2http

import (
	"errors"
	"fmt"
	"io"

	"example.com/greet/internal/h2"
)

// StreamError says that a stream ended before its request or response was whole.
type StreamError struct {
	ID  uint32
	End h2.End
}

// Error says who ended it, and how. Of a reset by the peer it speaks as net/http does,
// which does not export the type of that error, so that others look at its text.
func (e *StreamError) Error() string {
	switch e.End.By {
	case h2.Lost:
		return "the connection ended under the stream"
	case h2.Local:
		return fmt.Sprintf("the stream was reset: %s", e.End.Code)
	case h2.Peer, h2.Refused:
		return fmt.Sprintf("stream error: stream ID %d; %s; received from peer", e.ID, e.End.Code)
	}
	return "the stream has ended"
}

var (
	errHandlerDone = errors.New("the handler has returned")
	errTooLong     = errors.New("the body is longer than its content-length")
	errTooShort    = fmt.Errorf("the body is shorter than its content-length: %w", io.ErrUnexpectedEOF)
)
