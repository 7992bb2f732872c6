package dial_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/greet/internal/dial"
	"example.com/greet/internal/stack"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// way is a transport, and whose HTTP/2 speaks it.
type way struct {
	transport string
	fast      bool
}

func (w way) String() string {
	if w.fast {
		return w.transport + " fast"
	}
	return w.transport
}

// waysOver lists the ways over transports: both kinds of HTTP/2 where they speak that.
func waysOver(transports ...string) (ways []way) {
	for _, transport := range transports {
		ways = append(ways, way{transport, false})
		if transport == stack.H2C || transport == stack.H2 {
			ways = append(ways, way{transport, true})
		}
	}
	return ways
}

func get(c *dial.Client, addr string) error {
	response, err := c.HTTP.Get(c.URL(addr) + "/")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// TestConnections makes requests that all wait for one another in the server,
// so that they are in flight at once, and counts the connections that they took.
func TestConnections(t *testing.T) {
	tests := []struct {
		way
		inFlight int // as told to the client
		requests int // in flight at once
		want     int64
	}{
		{way{stack.H1, false}, 0, 8, 8},
		{way{stack.H1, false}, 8, 8, 8},
		{way{stack.H2C, false}, 8, 8, 1},
		{way{stack.H2C, true}, 8, 8, 1},
		{way{stack.H2C, false}, 0, 8, 1},
		{way{stack.H2, false}, 8, 8, 1},
		{way{stack.H2, true}, 8, 8, 1},
		{way{stack.H3, false}, 8, 8, 1},
	}
	for _, test := range tests {
		t.Run(test.String(), func(t *testing.T) {
			var round atomic.Pointer[sync.WaitGroup]
			addr, trust := serve(t, test.transport, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				together := round.Load()
				together.Done()
				together.Wait()
			}))
			c, err := dial.HTTP(test.transport, dial.Options{TLS: trust, InFlight: test.inFlight, FastHTTP2: test.fast})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			for range 3 { // connections are used again
				together := new(sync.WaitGroup)
				together.Add(test.requests)
				round.Store(together)
				var requests sync.WaitGroup
				for range test.requests {
					requests.Go(func() {
						if err := get(c, addr); err != nil {
							t.Error(err)
						}
					})
				}
				requests.Wait()
			}
			if got := c.Connections(); got != test.want {
				t.Errorf("connections = %d, want %d", got, test.want)
			}
		})
	}
}

// TestReconnect has the server close the connection after each request. A client
// that may have only one must notice that it has none.
func TestReconnect(t *testing.T) {
	for _, way := range waysOver(stack.H1, stack.H2C, stack.H2) {
		t.Run(way.String(), func(t *testing.T) {
			accepted := make(chan net.Conn, 1)
			addr, trust := serve(t, way.transport, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				accepted <- r.Context().Value(connKey{}).(net.Conn)
			}))
			c, err := dial.HTTP(way.transport, dial.Options{FastHTTP2: way.fast, TLS: trust, InFlight: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.HTTP.Timeout = 5 * time.Second
			for range 3 {
				// A request may meet the closed connection before the client does.
				for started := time.Now(); ; {
					err := get(c, addr)
					if err == nil {
						break
					}
					if time.Since(started) > 5*time.Second {
						t.Fatal(err)
					}
				}
				(<-accepted).Close()
			}
			if got := c.Connections(); got < 3 {
				t.Errorf("connections = %d, want at least 3", got)
			}
		})
	}
}

// TestInFlightBounds sends more requests at once than h1 was told of: they wait
// for a connection rather than opening more.
func TestInFlightBounds(t *testing.T) {
	addr, _ := serve(t, stack.H1, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	c, err := dial.HTTP(stack.H1, dial.Options{InFlight: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var requests sync.WaitGroup
	for range 16 {
		requests.Go(func() {
			if err := get(c, addr); err != nil {
				t.Error(err)
			}
		})
	}
	requests.Wait()
	if got := c.Connections(); got > 2 {
		t.Errorf("connections = %d, want at most 2", got)
	}
}

// TestCloseEndsBusyConnections closes a client in the middle of a response.
// TestMain sees whether a goroutine is left.
func TestCloseEndsBusyConnections(t *testing.T) {
	for _, way := range waysOver(stack.H1, stack.H2C, stack.H2, stack.H3) {
		t.Run(way.String(), func(t *testing.T) {
			addr, trust := serve(t, way.transport, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Write([]byte("the first half"))
				http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}))
			c, err := dial.HTTP(way.transport, dial.Options{FastHTTP2: way.fast, TLS: trust})
			if err != nil {
				t.Fatal(err)
			}
			response, err := c.HTTP.Get(c.URL(addr) + "/")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if _, err := io.ReadAll(response.Body); err == nil {
				t.Error("a response outlived its client")
			}
			if err := get(c, addr); err == nil {
				t.Error("a closed client made a request")
			}
			if err := c.Close(); err != nil {
				t.Errorf("second Close: %v", err)
			}
		})
	}
}

// TestCancelWhileSending cancels a request whose response has begun and whose
// body is open but silent. Both sides must learn of it.
func TestCancelWhileSending(t *testing.T) {
	for _, way := range waysOver(stack.H2C, stack.H2, stack.H3) {
		t.Run(way.String(), func(t *testing.T) {
			ended := make(chan struct{})
			addr, trust := serve(t, way.transport, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(ended)
				http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}))
			c, err := dial.HTTP(way.transport, dial.Options{FastHTTP2: way.fast, TLS: trust})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			body, sending := io.Pipe()
			defer sending.Close()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL(addr), body)
			if err != nil {
				t.Fatal(err)
			}
			response, err := c.HTTP.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			cancel()
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
				t.Error("the server has not learned that the request was cancelled")
				sending.Close()
			}
			if _, err := io.ReadAll(response.Body); err == nil {
				t.Error("the response of a cancelled request ended well")
			}
		})
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	addr, _ := serve(t, stack.H1, http.RedirectHandler("http://127.0.0.1:1/", http.StatusTemporaryRedirect))
	c, err := dial.HTTP(stack.H1, dial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := get(c, addr); err != nil {
		t.Errorf("got %v, want the redirect itself", err)
	}
}

// TestOnlyHTTP2 calls TLS servers that would rather speak HTTP/1.1.
func TestOnlyHTTP2(t *testing.T) {
	tests := []struct {
		name   string
		protos []string
	}{
		{"http/1.1 by ALPN", []string{"http/1.1"}},
		{"no ALPN", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			listener := tlsListener(t, test.protos)
			c, err := dial.HTTP(stack.H2, dial.Options{TLS: &tls.Config{InsecureSkipVerify: true}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if err := get(c, listener.Addr().String()); err == nil {
				t.Error("an h2 client spoke to a server without HTTP/2")
			}
		})
	}
}

// TestURLOfZone has an address whose percent sign a URL takes for an escape.
func TestURLOfZone(t *testing.T) {
	c, err := dial.HTTP(stack.H1, dial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const addr = "[fe80::1%eth0]:80"
	if u, err := url.Parse(c.URL(addr)); err != nil || u.Host != addr {
		t.Errorf("got %v, %v; want the host %s", u, err, addr)
	}
}

func TestErrors(t *testing.T) {
	for transport, want := range map[string]string{
		"h4":     "unknown transport",
		stack.H2: "TLS",
		stack.H3: "TLS",
	} {
		if _, err := dial.HTTP(transport, dial.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("HTTP(%q) = %v, want an error with %q", transport, err, want)
		}
	}
}
