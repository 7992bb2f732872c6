package dial

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// LostError says that the connection ended before the response did. It reads as
// what it wraps, which by itself is also what a reader says of a response that is
// complete and too short.
type LostError struct{ Cause error }

// Error is the cause's.
func (e *LostError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// streaming sends requests whose bodies are streams, and ends each when its
// context ends. The transports alone, once a response has begun, look at the
// context only between two reads of the request's body; while the body has
// nothing to read, a read of an HTTP/2 response would go on waiting, and HTTP/3
// would keep the goroutine that reads the body.
type streaming struct{ next http.RoundTripper }

func (s streaming) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, stop := req.Context(), func() bool { return true }
	// With a body, a length of 0 means unknown, as -1 does.
	if req.Body != nil && req.Body != http.NoBody && req.ContentLength <= 0 {
		stop = context.AfterFunc(ctx, func() { req.Body.Close() })
	}
	res, err := s.next.RoundTrip(req)
	if err != nil {
		stop()
		if end := ended(ctx); end != nil {
			// Not that the body was closed, which was only the means, or that the server
			// hung up, which was in time.
			return nil, end
		}
		return nil, err
	}
	res.Body = &watched{ReadCloser: res.Body, stop: stop}
	return res, nil
}

// ended returns the error of a context that has ended, or will have within a
// millisecond: a server is told a timeout in whole ones, and may end a call that much
// before its client does.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < time.Millisecond {
		return context.DeadlineExceeded
	}
	return nil
}

// watched is a response's body whose Close ends the watch over the context, and
// whose Read tells of a connection that was lost.
type watched struct {
	io.ReadCloser
	stop func() bool
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = &LostError{err}
	}
	return n, err
}

func (w *watched) Close() error {
	w.stop()
	return w.ReadCloser.Close()
}
