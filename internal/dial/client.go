package dial

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"example.com/greet/internal/stack"
)

// Options are the settings of a client.
type Options struct {
	// TLS holds the certificates to trust. h2 and h3 need it, h1 and h2c ignore it. It is cloned,
	// and its NextProtos are replaced.
	TLS *tls.Config
	// InFlight is how many requests will be in flight at once; 0 means any
	// number. It bounds the connections of h1, and is unused by the others.
	InFlight int
	// TuneHTTP2 changes the settings of h2c and h2, for a benchmark that measures their effect;
	// nil keeps those of net/http.
	TuneHTTP2 func(*http.HTTP2Config)
	// FastHTTP2 uses package h2http for h2c and h2 instead of net/http's own HTTP/2.
	FastHTTP2 bool
	// Tap sees what the connections carry; it may be nil.
	Tap *stack.Tap
}

// Client is an HTTP client of one transport that counts its connections. It
// opens them when a request needs them: one for each request in flight over h1,
// a single one for all of them over the other transports. It never uses a
// proxy, follows a redirect or asks for compression. It is safe for concurrent
// use.
type Client struct {
	// HTTP sends the requests. Its Transport must not be replaced.
	HTTP *http.Client

	scheme string
	opened atomic.Int64
	close  func() error
}

// HTTP makes a client of the transport: stack.H1, H2C, H2 or H3. No connection
// is opened yet. The caller ends it with Close.
func HTTP(transport string, o Options) (*Client, error) {
	c := &Client{scheme: "http", HTTP: &http.Client{CheckRedirect: refuseRedirect}}
	switch transport {
	case stack.H1, stack.H2C:
	case stack.H2, stack.H3:
		if o.TLS == nil {
			return nil, fmt.Errorf("make %s client: it runs over TLS, and no TLS settings were given", transport)
		}
		c.scheme = "https"
	default:
		return nil, fmt.Errorf("make client: unknown transport %q", transport)
	}
	if o.Tap != nil && o.TLS != nil {
		o.TLS = o.TLS.Clone()
		o.TLS.KeyLogWriter = o.Tap.Keys
	}
	if transport == stack.H3 {
		q := newQUIC(o.TLS, &c.opened)
		c.HTTP.Transport, c.close = streaming{q.tap(o.Tap)}, q.Close
	} else {
		t := newTCP(transport, o, &c.opened)
		c.HTTP.Transport, c.close = streaming{t.http}, t.Close
	}
	return c, nil
}

// URL is the root of the server at addr, "host:port". A percent sign in it begins the
// zone of an IPv6 address, which a URL has escaped (RFC 6874).
func (c *Client) URL(addr string) string {
	return c.scheme + "://" + strings.ReplaceAll(addr, "%", "%25")
}

// Connections is how many connections have been opened so far, counted where
// they are dialled.
func (c *Client) Connections() int64 { return c.opened.Load() }

// Close ends every connection and gives up on those that are being dialled; a
// request in flight fails. Later requests fail too.
func (c *Client) Close() error { return c.close() }

// refuseRedirect returns a redirect to the caller unchanged: a caller who named an address does not
// expect another one to be called.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
