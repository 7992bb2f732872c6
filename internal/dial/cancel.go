package dial

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// LostError says that the connection ended before the response did. Its text is that of its cause,
// which by itself may also mean that a complete response was too short.
type LostError struct{ Cause error }

// Error is the cause's.
func (e *LostError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// streaming sends requests whose bodies are streams, and ends each when its context ends. Once a
// response has begun, the transports look at the context only between two reads of the request's
// body. While that body has nothing to read, a read of an HTTP/2 response would go on waiting, and
// HTTP/3 would keep the goroutine that reads the body.
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
			// Report neither the closed body, which was our way to end the call, nor the
			// server's hang-up, which was in time.
			return nil, end
		}
		return nil, err
	}
	res.Body = &watched{ReadCloser: res.Body, stop: stop}
	return res, nil
}

// ended returns the error of a context that has ended or will within a millisecond. A server is
// told its timeout in whole milliseconds, so it may end a call that much before its client does.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < time.Millisecond {
		return context.DeadlineExceeded
	}
	return nil
}

// watched is the body of a response. Its Close stops watching the context, and its Read reports a
// lost connection.
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
