package dial

import (
	"context"
	"io"
	"net/http"
)

// RoundTrip is the transport's, except that a request whose body is a stream
// ends when its context does. net/http alone, once an HTTP/2 response has begun,
// looks at the context only between two reads of the request's body; while the
// body has nothing to read, neither side would learn that the request is over,
// and a read of the response would go on waiting.
func (t *tcp) RoundTrip(req *http.Request) (*http.Response, error) {
	// With a body, a length of 0 means unknown, as -1 does.
	if req.Body == nil || req.Body == http.NoBody || req.ContentLength > 0 {
		return t.http.RoundTrip(req)
	}
	stop := context.AfterFunc(req.Context(), func() { req.Body.Close() })
	res, err := t.http.RoundTrip(req)
	if err != nil {
		stop()
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
