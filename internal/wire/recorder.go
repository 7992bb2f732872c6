package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/greet/internal/stack"
)

// Recorder copies what a client's connections carry. Take decodes the copies. It is safe for
// concurrent use, except that one goroutine at a time may call Take.
type Recorder struct {
	mu     sync.Mutex
	begun  time.Time
	last   time.Time // when something was last recorded
	events []event
	keys   bytes.Buffer // what crypto/tls has written to a key log
	calls  atomic.Int64 // round trips over HTTP/3

	decoder decoder
}

// event is one thing that happened, kept until it is decoded.
type event struct {
	at     time.Time
	decode func(d *decoder, at time.Time)
}

// NewRecorder returns a Recorder whose first call begins now.
func NewRecorder() *Recorder { return &Recorder{begun: time.Now()} }

// Tap returns the tap to dial a client with.
func (r *Recorder) Tap() *stack.Tap {
	return &stack.Tap{Conn: r.conn, Keys: keyLog{r}, QUIC: r.quic, Bodies: r.bodies}
}

// Begin sets the moment from which the times of the next Timeline are counted.
func (r *Recorder) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = time.Now()
}

// Mark adds a line of the program's own to the Timeline, such as a greeting.
func (r *Recorder) Mark(text string) {
	r.add(time.Now(), func(d *decoder, at time.Time) { d.line(Line{at: at, From: Program, What: text}) })
}

func (r *Recorder) add(at time.Time, decode func(*decoder, time.Time)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = at
	r.events = append(r.events, event{at, decode})
}

const (
	quiet    = 20 * time.Millisecond  // without traffic, until a call counts as over
	patience = 200 * time.Millisecond // with peers that are never quiet
)

// Settle waits until the connections have been quiet for a moment. Part of a call, such as the
// answer to a RST_STREAM, may come after its end.
func (r *Recorder) Settle() {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(quiet / 4) {
		r.mu.Lock()
		silent := time.Since(r.last)
		r.mu.Unlock()
		if silent >= quiet {
			return
		}
	}
}

// Take decodes what has been recorded since the last Take.
func (r *Recorder) Take() Timeline {
	r.mu.Lock()
	events, begun := r.events, r.begun
	r.events = nil
	r.decoder.secrets = parseKeyLog(r.keys.Bytes())
	r.mu.Unlock()
	// A write is recorded after it has returned, possibly after the read of its answer.
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	for _, e := range events {
		e.decode(&r.decoder, e.at)
	}
	return r.decoder.take(begun)
}

// Finish is Take for a client that has been closed. It also reports units that were cut short.
func (r *Recorder) Finish() Timeline {
	r.add(time.Now(), (*decoder).finish)
	return r.Take()
}

// conn returns c with a copy of every byte kept.
func (r *Recorder) conn(c net.Conn) net.Conn {
	copied := &recordedConn{Conn: c, recorder: r, decoded: new(conn)}
	r.add(time.Now(), func(d *decoder, _ time.Time) { d.open(copied.decoded) })
	return copied
}

type recordedConn struct {
	net.Conn
	recorder *Recorder
	decoded  *conn
}

func (c *recordedConn) keep(from Side, at time.Time, p []byte) {
	if len(p) == 0 {
		return
	}
	data := bytes.Clone(p)
	c.recorder.add(at, func(_ *decoder, at time.Time) { c.decoded.halves[from].feed(at, data) })
}

func (c *recordedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.keep(Server, time.Now(), p[:n])
	return n, err
}

// Write notes the time before it writes: the answer may be read before it returns.
func (c *recordedConn) Write(p []byte) (int, error) {
	at := time.Now()
	n, err := c.Conn.Write(p)
	c.keep(Client, at, p[:n])
	return n, err
}

// keyLog receives the secrets of TLS connections, which decrypt the copies.
type keyLog struct{ recorder *Recorder }

func (k keyLog) Write(p []byte) (int, error) {
	k.recorder.mu.Lock()
	defer k.recorder.mu.Unlock()
	return k.recorder.keys.Write(p)
}

// bodies wraps next and copies the bodies of requests and responses: quic-go's events have the
// lengths of DATA frames but not their contents.
func (r *Recorder) bodies(next http.RoundTripper) http.RoundTripper {
	return recordedBodies{r, next}
}

type recordedBodies struct {
	recorder *Recorder
	next     http.RoundTripper
}

func (b recordedBodies) RoundTrip(req *http.Request) (*http.Response, error) {
	call := int(b.recorder.calls.Add(1)) - 1
	if req.Body != nil && req.Body != http.NoBody {
		req = req.WithContext(req.Context())
		req.Body = &recordedBody{req.Body, b.recorder, call, Client}
	}
	res, err := b.next.RoundTrip(req)
	if err == nil {
		res.Body = &recordedBody{res.Body, b.recorder, call, Server}
	}
	return res, err
}

type recordedBody struct {
	io.ReadCloser
	recorder *Recorder
	call     int
	from     Side
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	ended := errors.Is(err, io.EOF)
	if n > 0 || ended {
		data := bytes.Clone(p[:n])
		b.recorder.add(time.Now(), func(d *decoder, at time.Time) { d.http3.body(d, at, b.call, b.from, data, ended) })
	}
	return n, err
}
