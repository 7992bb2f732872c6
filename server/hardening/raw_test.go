package hardening_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// emptyMessage is a gRPC message of no bytes, in its envelope: a whole request.
var emptyMessage = []byte{0, 0, 0, 0, 0}

// dialBare opens a TCP connection, and TLS within it where trust is not nil, and
// closes it with the test.
func dialBare(t *testing.T, addr string, trust *tls.Config, alpn ...string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if trust == nil {
		return conn
	}
	trust = trust.Clone()
	trust.NextProtos, trust.ServerName = alpn, "localhost"
	secure := tls.Client(conn, trust)
	if err := secure.Handshake(); err != nil {
		t.Fatal(err)
	}
	return secure
}

// h2Peer speaks HTTP/2 frame by frame. It reads what the server sends, so that
// the server never waits for it, and keeps what tells of refusals.
type h2Peer struct {
	*http2.Framer
	conn   net.Conn
	fields bytes.Buffer
	hpack  *hpack.Encoder
	closed chan struct{}  // is closed once the server has closed the connection
	goAway *http2.ErrCode // why, if it said; to be read once closed is closed
}

// newH2Peer sends the preface and settings, and answers nothing of the server's
// but its settings.
func newH2Peer(t *testing.T, conn net.Conn, settings ...http2.Setting) *h2Peer {
	t.Helper()
	p := &h2Peer{Framer: http2.NewFramer(conn, conn), conn: conn, closed: make(chan struct{})}
	p.hpack = hpack.NewEncoder(&p.fields)
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteSettings(settings...); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteSettingsAck(); err != nil {
		t.Fatal(err)
	}
	reader := http2.NewFramer(nil, conn)
	reader.SetMaxReadFrameSize(1 << 20)
	go p.read(reader)
	t.Cleanup(func() {
		_ = conn.Close()
		<-p.closed
	})
	return p
}

func (p *h2Peer) read(frames *http2.Framer) {
	defer close(p.closed)
	for {
		frame, err := frames.ReadFrame()
		if err != nil {
			return
		}
		if last, ok := frame.(*http2.GoAwayFrame); ok {
			p.goAway = &last.ErrCode
		}
	}
}

// awaitClosed waits until the server has closed the connection.
func (p *h2Peer) awaitClosed(t *testing.T, limit time.Duration) {
	t.Helper()
	select {
	case <-p.closed:
	case <-time.After(limit):
		t.Errorf("the connection is still open after %v", limit)
	}
}

// encode compresses the fields of a gRPC request to the procedure, and more.
func (p *h2Peer) encode(procedure string, more ...hpack.HeaderField) []byte {
	p.fields.Reset()
	for _, f := range append([]hpack.HeaderField{
		{Name: ":method", Value: "POST"},
		{Name: ":scheme", Value: "http"},
		{Name: ":authority", Value: "localhost"},
		{Name: ":path", Value: procedure},
		{Name: "content-type", Value: "application/grpc"},
		{Name: "te", Value: "trailers"},
	}, more...) {
		_ = p.hpack.WriteField(f) // a buffer takes everything
	}
	return p.fields.Bytes()
}

// request sends a whole gRPC request with one message.
func (p *h2Peer) request(stream uint32, procedure string, message []byte) error {
	return p.call(stream, procedure, message, true)
}

// call sends a gRPC request with one message, and ends it or does not.
func (p *h2Peer) call(stream uint32, procedure string, message []byte, end bool, more ...hpack.HeaderField) error {
	err := p.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: p.encode(procedure, more...), EndHeaders: true,
	})
	if err != nil {
		return err
	}
	return p.WriteData(stream, end, message)
}
