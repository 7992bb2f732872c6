package hardening_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/dial"
	"example.com/greet/internal/stack"
)

const mebi = 1 << 20

// TestHPACKBomb sends the built server a header that is small only on the wire.
func TestHPACKBomb(t *testing.T) { forEachHTTP2(t, testHPACKBomb) }

func testHPACKBomb(t *testing.T, flag string) {
	server := startServer(t, flag)
	for label, trust := range map[string]*tls.Config{"connect": nil, "tls": server.trust, "grpc": nil} {
		t.Run(label, func(t *testing.T) {
			warmUp(t, server)
			before := server.peak(t)
			peer := newH2Peer(t, dialBare(t, server.addr[label], trust, "h2"))
			// An error here, like the end of the connection, is what is wanted.
			_ = peer.writeHeader(1, peer.hpackBomb())
			peer.awaitClosed(t, patience)
			if grown := server.peak(t) - before; grown > 8*mebi {
				t.Errorf("the server grew by %d bytes, want at most 8 MiB", grown)
			}
			server.alive(t)
		})
	}
}

// writeHeader sends a header block in as many frames as it takes.
func (p *h2Peer) writeHeader(stream uint32, block []byte) error {
	const frame = 16 << 10 // what every peer must accept (RFC 9113, section 4.2)
	first := min(frame, len(block))
	err := p.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: block[:first], EndHeaders: first == len(block), EndStream: true,
	})
	for block = block[first:]; err == nil && len(block) > 0; {
		n := min(frame, len(block))
		err = p.WriteContinuation(stream, n == len(block), block[:n])
		block = block[n:]
	}
	return err
}

// warmUp makes a server allocate what it needs for any call.
func warmUp(t *testing.T, server *serverProcess) {
	t.Helper()
	for _, s := range stacks(t) {
		c := server.client(t, s)
		for _, m := range s.Modes() {
			if err := makeCall(t.Context(), c, m); err != nil {
				t.Fatalf("%s %s: %v", s.Name, m, err)
			}
		}
	}
}

// gzipBomb is 512 MiB of zeros in 509 KiB or so: many small gzip members in a
// row are one stream (RFC 1952, section 2.2).
func gzipBomb(t *testing.T) []byte {
	t.Helper()
	var member bytes.Buffer
	w, err := gzip.NewWriterLevel(&member, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, mebi)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(member.Bytes(), 512)
}

// envelope frames a message as gRPC and Connect streams do.
func envelope(flags byte, message []byte) []byte {
	framed := binary.BigEndian.AppendUint32([]byte{flags}, uint32(len(message)))
	return append(framed, message...)
}

// TestGzipBomb sends the built server a message that is small only on the wire.
func TestGzipBomb(t *testing.T) { forEachHTTP2(t, testGzipBomb) }

func testGzipBomb(t *testing.T, flag string) {
	bomb := gzipBomb(t)
	if size := len(bomb); size > 600<<10 {
		t.Fatalf("the bomb has %d bytes and is no bomb", size)
	}
	for _, test := range []struct {
		name, transport, label string
		procedure              string
		contentType            string
		encoding               string // header that says gzip
		body                   []byte
		want                   string // in the body or the status
	}{
		{"connect unary", stack.H1, "connect", greetv1connect.GreetServiceGreetProcedure, "application/proto", "Content-Encoding", bomb, `"resource_exhausted"`},
		{"connect stream", stack.H2C, "connect", greetv1connect.GreetServiceGreetCountProcedure, "application/connect+proto", "Connect-Content-Encoding", envelope(1, bomb), `"resource_exhausted"`},
		{"connect over h3", stack.H3, "tls", greetv1connect.GreetServiceGreetProcedure, "application/proto", "Content-Encoding", bomb, `"resource_exhausted"`},
		{"grpc by connect-go", stack.H2C, "connect", greetv1connect.GreetServiceGreetProcedure, "application/grpc", "Grpc-Encoding", envelope(1, bomb), "grpc-status 8"},
		{"grpc-web by connect-go", stack.H1, "connect", greetv1connect.GreetServiceGreetProcedure, "application/grpc-web", "Grpc-Encoding", envelope(1, bomb), "grpc-status 8"},
		{"grpc by grpc-go", stack.H2C, "grpc", greetv1connect.GreetServiceGreetProcedure, "application/grpc", "Grpc-Encoding", envelope(1, bomb), "grpc-status 12"}, // it has no gzip at all
	} {
		t.Run(test.name, func(t *testing.T) {
			server := startServer(t, flag)
			header := http.Header{"Content-Type": {test.contentType}, test.encoding: {"gzip"}, "Te": {"trailers"}}
			got := post(t, test.transport, server.addr[test.label], server.trust, test.procedure, header, test.body)
			if !strings.Contains(got.text(), test.want) {
				t.Errorf("got %s, want %s", got.text(), test.want)
			}
			if peak := server.peak(t); peak > 64*mebi {
				t.Errorf("the server held %d bytes, want at most 64 MiB", peak)
			}
			server.alive(t)
		})
	}
}

// response is an HTTP response, read to its end.
type response struct {
	status          int
	header, trailer http.Header
	body            string
}

// text is what the response says of a call's end, wherever the protocol puts it.
func (r response) text() string {
	text := http.StatusText(r.status) + " " + r.body
	for _, h := range []http.Header{r.header, r.trailer} {
		if s := h.Get("Grpc-Status"); s != "" {
			text += " grpc-status " + s + " " + h.Get("Grpc-Message")
		}
	}
	return strings.ReplaceAll(text, "grpc-status: ", "grpc-status ") // as gRPC-Web has it in the body
}

// post sends a body as it is.
func post(t *testing.T, transport, addr string, trust *tls.Config, path string, header http.Header, body []byte) response {
	t.Helper()
	return request(t, http.MethodPost, transport, addr, trust, path, header, body)
}

func request(t *testing.T, method, transport, addr string, trust *tls.Config, path string, header http.Header, body []byte) response {
	t.Helper()
	client, err := dial.HTTP(transport, dial.Options{TLS: trust})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	req, err := http.NewRequestWithContext(t.Context(), method, client.URL(addr)+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	res, err := client.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{res.StatusCode, res.Header, res.Trailer, string(text)}
}
