package h2

import (
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deaf is a net.Conn for connections that a test feeds by hand.
type deaf struct{ net.Conn }

func (deaf) Write(p []byte) (int, error)      { return len(p), nil }
func (deaf) SetReadDeadline(time.Time) error  { return nil }
func (deaf) SetWriteDeadline(time.Time) error { return nil }
func (deaf) Close() error                     { return nil }

// wire is a connection without a socket: what it writes is kept for the test.
type wire struct {
	*Conn
	sent []byte
	room int // how much more the socket takes; below 0 means any amount
}

func newWire(c *Conn) *wire {
	w := &wire{Conn: c, room: -1}
	c.socket.TryWrite = func(p []byte) (int, error) {
		n := len(p)
		if w.room >= 0 {
			n = min(n, w.room)
			w.room -= n
		}
		w.sent = append(w.sent, p[:n]...)
		return n, nil
	}
	c.socket.TryWritev = func(bufs [][]byte) (total int, err error) {
		for _, p := range bufs {
			n, err := c.socket.TryWrite(p)
			total += n
			if err != nil || n < len(p) {
				return total, err
			}
		}
		return total, nil
	}
	c.finish()
	return w
}

// feed gives the connection a batch of input, and returns how much of it was whole
// frames.
func (w *wire) feed(p []byte) int {
	w.batch++
	used, err := w.receive(p)
	if err != nil {
		w.fail(err)
	}
	w.finish()
	return used
}

// pass carries what one end has sent to the other, and reports whether there was
// anything.
func pass(from, to *wire) bool {
	if len(from.sent) == 0 {
		return false
	}
	n := len(from.sent)
	if to.Err() == nil {
		n = to.feed(from.sent)
	}
	if to.Err() != nil { // nobody reads the rest
		n = len(from.sent)
	}
	from.sent = append(from.sent[:0], from.sent[n:]...)
	return true
}

// settle passes until both ends have nothing more to say.
func settle(a, b *wire) {
	for pass(a, b) || pass(b, a) {
	}
}

// newPair returns both ends of a connection on which SETTINGS have been exchanged.
func newPair(client, server Handler, streams uint32) (c, s *wire) {
	c, s = newWire(NewClient(deaf{}, client)), newWire(NewServer(deaf{}, server, streams))
	settle(c, s)
	return c, s
}

// recorder is a handler that notes what it is told. Functions that are set are
// called too.
type recorder struct {
	headers int
	body    []byte
	status  string
	ends    []End
	err     error
	onData  func(s *Stream, p []byte, end bool)
	onHead  func(s *Stream, h *Header, end bool)
	onRoom  func(s *Stream)
	onDue   func(s *Stream)
}

func (r *recorder) Headers(s *Stream, h *Header, end bool) {
	r.headers++
	if status := h.Get(":status"); status != "" {
		r.status = status
	}
	if r.onHead != nil {
		r.onHead(s, h, end)
	}
}

func (r *recorder) Data(s *Stream, p []byte, end bool) {
	if r.onData != nil {
		r.onData(s, p, end)
		return
	}
	r.body = append(r.body, p...)
	s.Consumed(len(p))
}

func (r *recorder) Writable(s *Stream) {
	if r.onRoom != nil {
		r.onRoom(s)
	}
}

func (r *recorder) Expired(s *Stream) {
	if r.onDue != nil {
		r.onDue(s)
	}
}

func (r *recorder) Closed(_ *Stream, end End) {
	if len(r.ends) < cap(r.ends) || len(r.ends) < 8 {
		r.ends = append(r.ends, end)
	}
}

func (r *recorder) Changed(*Conn)            {}
func (r *recorder) Ended(_ *Conn, err error) { r.err = err }

var (
	getBlock = []Field{{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "http"}, {Name: ":path", Value: "/"}}
	okBlock  = []Field{{Name: ":status", Value: "200"}}
	endBlock = []Field{{Name: "grade", Value: "0"}}
)

// echo returns a server's handler that answers with what it gets.
func echo() *recorder {
	begin, end := NewBlock(okBlock...), NewBlock(endBlock...)
	r := &recorder{}
	r.onHead = func(s *Stream, _ *Header, ended bool) {
		s.Headers(begin, nil, false)
		if ended {
			s.Headers(end, nil, true)
		}
	}
	r.onData = func(s *Stream, p []byte, ended bool) {
		s.Write(p, false)
		s.Consumed(len(p))
		if ended {
			s.Headers(end, nil, true)
		}
	}
	return r
}

func TestUnary(t *testing.T) {
	client := &recorder{}
	c, s := newPair(client, echo(), 100)
	st := c.Open(NewBlock(getBlock...), nil, false)
	st.Write([]byte("hello"), true)
	c.finish()
	settle(c, s)
	if string(client.body) != "hello" || client.headers != 2 || client.status != "200" {
		t.Errorf("got body %q, %d headers, status %s, want hello, 2, 200", client.body, client.headers, client.status)
	}
	if len(client.ends) != 1 || client.ends[0] != (End{}) || c.Streams() != 0 || s.Streams() != 0 {
		t.Errorf("got ends %v, %d and %d streams left, want one clean end", client.ends, c.Streams(), s.Streams())
	}
}

// caller is a client's handler that opens a stream for each that ends, until it
// has done so often enough.
type caller struct {
	recorder
	conn  *Conn
	block *Block
	left  int
}

func (c *caller) Closed(*Stream, End) { c.open() }

func (c *caller) Data(s *Stream, p []byte, _ bool) { s.Consumed(len(p)) }

func (c *caller) open() {
	if c.left--; c.left >= 0 {
		c.conn.Open(c.block, nil, false).Write(request, true)
	}
}

var request = []byte("a small request")

// TestNothingIsAllocated has 64 calls in flight, and counts what both state
// machines allocate for thousands of them.
func TestNothingIsAllocated(t *testing.T) {
	client := &caller{block: NewBlock(getBlock...)}
	c, s := newPair(client, echo(), 100)
	client.conn = c.Conn
	calls := func() {
		client.left = 1000
		for range 64 {
			client.open()
		}
		c.finish()
		settle(c, s)
	}
	calls() // fills the tables, the buffers and the pool of streams
	if n := testing.AllocsPerRun(10, calls); n != 0 {
		t.Errorf("1,000 calls allocate %v times, want never", n)
	}
	if got := s.lastID; got < 10_000 {
		t.Errorf("the last stream was %d: were there calls?", got)
	}
}

func BenchmarkBothEnds(b *testing.B) {
	client := &caller{block: NewBlock(getBlock...)}
	c, s := newPair(client, echo(), 100)
	client.conn = c.Conn
	client.left = b.N
	b.ReportAllocs()
	for range 64 {
		client.open()
	}
	c.finish()
	settle(c, s)
}
