package h2

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// rawPeer is the other end of one of our connections, in the hands of a test: it
// frames with golang.org/x/net, which knows nothing of this package.
type rawPeer struct {
	*http2.Framer
	t  *testing.T
	nc net.Conn
}

// run runs one of our ends over loopback, and returns the other.
func run(t *testing.T, end func(net.Conn) *Conn) rawPeer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	theirs, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ours, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	conn := end(ours)
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		_ = conn.Run() // tests look at what the peer is told
	}()
	t.Cleanup(func() {
		theirs.Close()
		<-ran
	})
	_ = theirs.SetDeadline(time.Now().Add(10 * time.Second))
	f := http2.NewFramer(theirs, theirs)
	f.AllowIllegalWrites, f.AllowIllegalReads = true, true
	return rawPeer{f, t, theirs}
}

// runServer runs a server, and sends it the preface and SETTINGS.
func runServer(t *testing.T, h Handler, settings ...http2.Setting) rawPeer {
	t.Helper()
	p := run(t, func(nc net.Conn) *Conn { return NewServer(nc, h, 10) })
	p.must(io.WriteString(p.nc, preface))
	p.ok(p.WriteSettings(settings...))
	return p
}

func (p rawPeer) ok(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p rawPeer) must(_ int, err error) {
	p.t.Helper()
	p.ok(err)
}

// block encodes fields, names and values in turn, without a dynamic table.
func block(pairs ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i < len(pairs); i += 2 {
		_ = e.WriteField(Field{Name: pairs[i], Value: pairs[i+1], Sensitive: true})
	}
	return b.Bytes()
}

// get is the header of a request.
var get = block(":method", "POST", ":scheme", "http", ":path", "/")

func (p rawPeer) request(id uint32, end bool) {
	p.t.Helper()
	p.ok(p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: get, EndHeaders: true, EndStream: end}))
}

// answer is what came of what a peer did: a frame that says so.
type answer struct {
	goAway bool
	stream uint32 // of a reset, or of a stream that ended well
	code   ErrCode
}

// next reads until the connection or a stream ends.
func (p rawPeer) next() answer {
	p.t.Helper()
	for {
		f, err := p.ReadFrame()
		if err != nil {
			p.t.Fatalf("got %v, want a frame that says what came of it", err)
		}
		switch f := f.(type) {
		case *http2.GoAwayFrame:
			return answer{goAway: true, code: ErrCode(f.ErrCode)}
		case *http2.RSTStreamFrame:
			return answer{stream: f.StreamID, code: ErrCode(f.ErrCode)}
		case *http2.DataFrame:
			if f.StreamEnded() {
				return answer{stream: f.StreamID}
			}
		case *http2.HeadersFrame:
			if f.StreamEnded() {
				return answer{stream: f.StreamID}
			}
		}
	}
}

// await reads until a frame of the type comes.
func await[F http2.Frame](p rawPeer) F {
	p.t.Helper()
	for {
		f, err := p.ReadFrame()
		if err != nil {
			p.t.Fatalf("got %v, want a frame of another type", err)
		}
		if f, ok := f.(F); ok {
			return f
		}
	}
}
