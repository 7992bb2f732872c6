package dial

import (
	"context"
	"io"
	"net/http"
)

// streaming sends requests whose bodies are streams, and ends each when its
// context ends. The transports alone, once a response has begun, look at the
// context only between two reads of the request's body; while the body has
// nothing to read, a read of an HTTP/2 response would go on waiting, and HTTP/3
// would keep the goroutine that reads the body.
type streaming struct{ next http.RoundTripper }

func (s streaming) RoundTrip(req *http.Request) (*http.Response, error) {
	// With a body, a length of 0 means unknown, as -1 does.
	if req.Body == nil || req.Body == http.NoBody || req.ContentLength > 0 {
		return s.next.RoundTrip(req)
	}
	ctx := req.Context()
	stop := context.AfterFunc(ctx, func() { req.Body.Close() })
	res, err := s.next.RoundTrip(req)
	if err != nil {
		stop()
		if ctx.Err() != nil {
			// Not that the body was closed, which was only the means.
			return nil, ctx.Err()
		}
		return nil, err
	}
	res.Body = &watched{ReadCloser: res.Body, stop: stop}
	return res, nil
}

// watched is a response's body whose Close ends the watch over the context.
type watched struct {
	io.ReadCloser
	stop func() bool
}

func (w *watched) Close() error {
	w.stop()
	return w.ReadCloser.Close()
}
