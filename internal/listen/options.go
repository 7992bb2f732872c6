package listen

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// Options say what ServeHTTP serves and within which limits.
type Options struct {
	// HTTP1, HTTP2 and HTTP3 are the versions of HTTP to serve. The first two
	// need the socket's TCP half, HTTP/3 needs its UDP half.
	HTTP1, HTTP2, HTTP3 bool
	// TLS encrypts; HTTP/3 needs it. Without it HTTP/2 is spoken by prior
	// knowledge (h2c).
	TLS *tls.Config
	// Streams is how many streams one connection may have open; 0 means 100.
	Streams uint32
	// TuneHTTP2 changes the limits of HTTP/2, for a benchmark that measures their cost; nil keeps
	// them.
	TuneHTTP2 func(*http.HTTP2Config)
	// Unguarded leaves out package guard, which protects net/http from HTTP/2 peers that would
	// crash it. It is for measuring net/http as it is.
	Unguarded bool
	// FastHTTP2 serves HTTP/2 by package h2http instead of net/http's own. That needs no guard.
	FastHTTP2 bool
	// CallLimit ends any call that lasts longer; 0 means no limit. It costs each
	// call two timers.
	CallLimit time.Duration
	// Drain is how long calls in flight may go on after ctx is done.
	Drain time.Duration
	// Log receives the faults of peers; nil discards them.
	Log *slog.Logger
}

// DefaultCallLimit is a CallLimit that no honest call of the demo reaches.
const DefaultCallLimit = 10 * time.Minute

// checked returns the options with defaults filled in, or says what is missing.
func (o Options) checked(s Socket) (Options, error) {
	switch {
	case !o.HTTP1 && !o.HTTP2 && !o.HTTP3:
		return o, errors.New("no HTTP version chosen")
	case (o.HTTP1 || o.HTTP2) && s.TCP == nil:
		return o, errors.New("HTTP/1.1 and HTTP/2 need a TCP socket")
	case o.HTTP3 && s.UDP == nil:
		return o, errors.New("HTTP/3 needs a UDP socket")
	case o.HTTP3 && o.TLS == nil:
		return o, errors.New("HTTP/3 needs a certificate")
	}
	if o.Streams == 0 {
		o.Streams = defaultStreams
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}
