package h2http_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"example.com/greet/internal/h2http"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what must happen although nothing says how soon.
const patience = 10 * time.Second

// server is an http.Server with an HTTP/2 of one kind or the other.
type server struct {
	*httptest.Server
	log *lockedBuffer
}

// end is a way to serve and to call.
type end struct {
	name              string
	fast, client, tls bool // whether the server is this package's, and the client
}

// ends are the ways to serve and to call: each behaviour is to be the same over all.
var ends = []end{
	{"net/http", false, false, false},
	{"fast server h2c", true, false, false},
	{"fast server h2", true, false, true},
	{"fast client h2c", false, true, false},
	{"fast client h2", false, true, true},
	{"fast both h2c", true, true, false},
}

// onAll runs the test against each kind of server.
func onAll(t *testing.T, h http.HandlerFunc, test func(t *testing.T, s *server)) {
	t.Helper()
	for _, e := range ends {
		t.Run(e.name, func(t *testing.T) { test(t, start(t, h, e, nil)) })
	}
}

// onServers is onAll without this package's client, which has no interim responses.
func onServers(t *testing.T, h http.HandlerFunc, test func(t *testing.T, s *server)) {
	t.Helper()
	for _, e := range ends[:3] {
		t.Run(e.name, func(t *testing.T) { test(t, start(t, h, e, nil)) })
	}
}

// fast starts a server of this package's without TLS.
func fast(t *testing.T, h http.HandlerFunc, change func(*http.Server)) *server {
	t.Helper()
	return start(t, h, end{fast: true}, change)
}

func start(t *testing.T, h http.HandlerFunc, e end, change func(*http.Server)) *server {
	t.Helper()
	secure := e.tls
	s := &server{httptest.NewUnstartedServer(h), new(lockedBuffer)}
	s.Config.ErrorLog = log.New(s.log, "", 0)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(!secure)
	s.Config.Protocols.SetHTTP2(secure)
	s.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 20}
	if change != nil {
		change(s.Config)
	}
	if e.fast {
		h2http.Configure(s.Config)
	}
	s.EnableHTTP2 = secure
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	transport, _ := s.Client().Transport.(*http.Transport)
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetUnencryptedHTTP2(!secure)
	transport.Protocols.SetHTTP2(secure)
	transport.ExpectContinueTimeout = patience
	if e.client {
		h2http.ConfigureTransport(transport)
	}
	if secure {
		transport.TLSClientConfig.NextProtos = []string{"h2"}
	}
	t.Cleanup(s.Close)
	return s
}

// do makes a request.
func (s *server) do(t *testing.T, method, path string, body io.Reader, header ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	return s.roundTrip(t, req)
}

// answer is a response, read to its end.
type answer struct {
	status          int
	length          int64 // as the header has it
	header, trailer http.Header
	body            string
}

func (s *server) roundTrip(t *testing.T, req *http.Request) answer {
	t.Helper()
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: read the body: %v", req.Method, req.URL, err)
	}
	if res.ProtoMajor != 2 {
		t.Fatalf("came over %s", res.Proto)
	}
	return answer{res.StatusCode, res.ContentLength, res.Header, res.Trailer, string(text)}
}

// lockedBuffer is a log that is written while a test reads it.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// peer speaks HTTP/2 frame by frame.
type peer struct {
	*http2.Framer
	t    *testing.T
	conn net.Conn
}

// dial opens a connection to the server and sends a preface and settings.
func (s *server) dial(t *testing.T, settings ...http2.Setting) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	p := &peer{http2.NewFramer(conn, conn), t, conn}
	p.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	p.sent(p.WriteSettings(settings...))
	return p
}

func (p *peer) sent(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// request sends a header: a GET of / but for what the fields say.
func (p *peer) request(id uint32, end bool, fields ...string) {
	p.t.Helper()
	p.sent(p.WriteHeaders(http2.HeadersFrameParam{
		StreamID: id, BlockFragment: headerBlock(fields...), EndHeaders: true, EndStream: end,
	}))
}

// headerBlock encodes the header of a request, without the dynamic table.
func headerBlock(fields ...string) []byte {
	said := map[string]string{":method": "GET", ":scheme": "http", ":authority": "localhost", ":path": "/"}
	for i := 0; i < len(fields); i += 2 {
		if strings.HasPrefix(fields[i], ":") {
			said[fields[i]] = fields[i+1]
		}
	}
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for name, value := range said {
		_ = encoder.WriteField(hpack.HeaderField{Name: name, Value: value, Sensitive: true})
	}
	for i := 0; i < len(fields); i += 2 {
		if !strings.HasPrefix(fields[i], ":") {
			_ = encoder.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1], Sensitive: true})
		}
	}
	return block.Bytes()
}

// await reads frames until one is of the kind that is wanted.
func await[F http2.Frame](p *peer) F {
	p.t.Helper()
	for {
		frame, err := p.ReadFrame()
		if err != nil {
			var wanted F
			p.t.Fatalf("waiting for %T: %v", wanted, err)
		}
		if wanted, ok := frame.(F); ok {
			return wanted
		}
		if settings, ok := frame.(*http2.SettingsFrame); ok && !settings.IsAck() {
			p.sent(p.WriteSettingsAck())
		}
	}
}

// awaitEnd waits until the server has closed the connection.
func (p *peer) awaitEnd() {
	p.t.Helper()
	for {
		if _, err := p.ReadFrame(); err != nil {
			if slow, ok := err.(net.Error); ok && slow.Timeout() {
				p.t.Errorf("the connection is still open after %v", patience)
			}
			return
		}
	}
}
