package listen_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// TestHTTP2Settings reads what the server tells its peers, in cleartext and
// within TLS.
func TestHTTP2Settings(t *testing.T) {
	for _, transport := range []string{stack.H2C, stack.H2} {
		for _, test := range []struct {
			streams, want uint32
		}{{0, 100}, {7, 7}} {
			srv := start(t, transport, http.NotFound, listen.Options{Streams: test.streams})
			got := readSettings(t, transport, srv)
			want := map[http2.SettingID]uint32{
				http2.SettingMaxConcurrentStreams: test.want,
				http2.SettingMaxFrameSize:         64 << 10,
				http2.SettingInitialWindowSize:    256 << 10,
			}
			for id, value := range want {
				if got[id] != value {
					t.Errorf("%s: %v is %d, want %d", transport, id, got[id], value)
				}
			}
		}
	}
}

func readSettings(t *testing.T, transport string, srv running) map[http2.SettingID]uint32 {
	t.Helper()
	conn := dialTCP(t, transport, srv, "h2")
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	framer := http2.NewFramer(conn, conn)
	if err := framer.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	frame, err := framer.ReadFrame()
	if err != nil {
		t.Fatal(err)
	}
	settings, ok := frame.(*http2.SettingsFrame)
	if !ok {
		t.Fatalf("the first frame is %v, want SETTINGS", frame)
	}
	values := make(map[http2.SettingID]uint32)
	_ = settings.ForeachSetting(func(s http2.Setting) error {
		values[s.ID] = s.Val
		return nil
	})
	return values
}

// dialTCP opens a bare connection that offers the ALPN names.
func dialTCP(t *testing.T, transport string, srv running, alpn ...string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", srv.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if transport != stack.H2 {
		return conn
	}
	config := srv.config.Clone()
	config.NextProtos = alpn
	secure := tls.Client(conn, config)
	if err := secure.Handshake(); err != nil {
		t.Fatal(err)
	}
	return secure
}

func TestALPN(t *testing.T) {
	srv := start(t, stack.H2, http.NotFound, listen.Options{})
	for _, test := range []struct {
		offer []string
		want  string
	}{
		{[]string{"h2", "http/1.1"}, "h2"},
		{[]string{"http/1.1"}, "http/1.1"},
		{nil, ""},
	} {
		conn := dialTCP(t, stack.H2, srv, test.offer...).(*tls.Conn)
		if got := conn.ConnectionState().NegotiatedProtocol; got != test.want {
			t.Errorf("offered %v: got %q, want %q", test.offer, got, test.want)
		}
	}
	old := srv.config.Clone()
	old.MaxVersion = tls.VersionTLS11
	if conn, err := tls.Dial("tcp", srv.addr, old); err == nil {
		t.Error("TLS 1.1 was accepted")
		_ = conn.Close()
	}
}

func TestAltSvcOnlyWhereThereIsHTTP3(t *testing.T) {
	for _, transport := range transports {
		srv := start(t, transport, http.NotFound, listen.Options{})
		client := newClient(t, transport, srv.config)
		res, err := client.HTTP.Get(client.URL(srv.addr))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		_, port, _ := net.SplitHostPort(srv.addr)
		want := ""
		if transport == stack.H2 {
			want = `h3=":` + port + `"; ma=3600`
		}
		if got := res.Header.Get("Alt-Svc"); got != want {
			t.Errorf("%s: Alt-Svc is %q, want %q", transport, got, want)
		}
	}
}

// TestLargeHeadersAreRefused sends a header of 128 KiB, twice the limit.
func TestLargeHeadersAreRefused(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			srv := start(t, transport, func(http.ResponseWriter, *http.Request) {
				t.Error("the request reached the handler")
			}, listen.Options{})
			client := newClient(t, transport, srv.config)
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, client.URL(srv.addr), nil)
			req.Header.Set("Large", strings.Repeat("x", 128<<10))
			res, err := client.HTTP.Do(req)
			if err != nil {
				return // refused by closing the stream or the connection
			}
			_ = res.Body.Close()
			if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
				t.Errorf("got status %d, want 431", res.StatusCode)
			}
		})
	}
}

// TestHalfAHeaderIsCut waits for the server to lose patience, which it does
// after 5 s.
func TestHalfAHeaderIsCut(t *testing.T) {
	t.Parallel()
	srv := start(t, stack.H1, http.NotFound, listen.Options{})
	conn := dialTCP(t, stack.H1, srv)
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(8 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(bufio.NewReader(conn)); err != nil {
		t.Errorf("still open after 8 s (%q): %v", text, err)
	}
}
