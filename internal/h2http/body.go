package h2http

import (
	"io"
	"net/http"
	"os"
	"sync"

	"example.com/greet/internal/h2"
)

// creditFrom is how much of a body is read before the peer is told: a quarter of a
// stream's window, so that it need not stand still, and not more often than that.
const creditFrom = 64 << 10

// largestKept bounds the buffers that calls pass on to each other.
const largestKept = 64 << 10

// bodyOwner is the call that a body belongs to.
type bodyOwner interface {
	post(f func(s *h2.Stream))
	share() int // see h2.Conn.Share
	takeTrailer(trailer http.Header)
}

// body is the body that the peer sends: what has come and is not read yet. The peer can
// have it hold as much as the window of a stream.
type body struct {
	owner bodyOwner

	mu       sync.Mutex
	changed  sync.Cond
	buf      *buffer
	read     int   // how much of buf has been read
	credit   int   // what has been read and not been told to the peer
	left     int64 // how much is to come by the content-length; below 0 if that is not said
	ended    bool  // all has come
	err      error // in place of the end
	trailer  http.Header
	expected bool // the peer waits for a response of status 100
	closed   bool // nobody reads any more
}

// add takes a piece of what s brings, and returns false if the body is not as long as it was said to be.
func (b *body) add(s *h2.Stream, p []byte, end bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left >= 0 {
		b.left -= int64(len(p))
		switch {
		case b.left < 0:
			b.err = errTooLong
		case end && b.left > 0:
			b.err = errTooShort
		}
		b.left = max(b.left, 0)
	}
	b.ended = b.ended || end
	switch {
	case b.closed:
		s.Consumed(len(p))
	case b.err == nil && len(p) > 0:
		if b.buf == nil {
			b.buf = takeBuffer()
		}
		b.buf.bytes = append(b.buf.bytes, p...)
	}
	b.changed.Signal()
	return b.err == nil
}

// end takes the trailer, with which the peer has said all.
func (b *body) end(s *h2.Stream, trailer http.Header) {
	b.mu.Lock()
	b.trailer = trailer
	b.mu.Unlock()
	if !b.add(s, nil, true) {
		s.Reset(h2.ProtocolError)
	}
}

// fail has reads return err once what has come is read, unless all has come.
func (b *body) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && !b.ended {
		b.err = err
	}
	b.changed.Signal()
}

func (b *body) expire() { b.fail(os.ErrDeadlineExceeded) }

// lose drops what has come and is not read yet, since the stream has ended and nobody
// will see what comes of it. Reads return err from now on.
func (b *body) lose(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.drop()
	b.changed.Signal()
}

// drop lets go of the buffer.
func (b *body) drop() {
	b.buf.free()
	b.buf, b.read = nil, 0
}

// Read reads what has come, and waits only if that is nothing.
func (b *body) Read(p []byte) (n int, err error) {
	b.proceed()
	b.tellRead()
	b.mu.Lock()
	n, err = b.take(p)
	b.credit += n
	b.mu.Unlock()
	if err != nil {
		b.tellRead()
	}
	return n, err
}

// tellRead tells the peer what has been read, if that is much. A reader that is about to
// wait, or to do something else, tells of less: it must not keep the connection's window
// from other streams meanwhile.
func (b *body) tellRead() {
	b.mu.Lock()
	least := creditFrom
	if b.waiting() == 0 {
		least = min(least, b.owner.share())
	}
	credit := 0
	if b.credit >= least {
		credit, b.credit = b.credit, 0
	}
	b.mu.Unlock()
	b.consumed(credit)
}

func (b *body) consumed(n int) {
	if n > 0 {
		b.owner.post(func(s *h2.Stream) { s.Consumed(n) })
	}
}

// take is Read without what is due to the peer.
func (b *body) take(p []byte) (n int, err error) {
	for !b.closed && b.waiting() == 0 && b.err == nil && !b.ended && len(p) > 0 {
		b.changed.Wait()
	}
	if b.closed {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.buf != nil {
		n = copy(p, b.buf.bytes[b.read:])
		b.read += n
		if b.waiting() == 0 {
			b.buf.bytes, b.read = b.buf.bytes[:0], 0
		}
	}
	switch {
	case n > 0 && (b.waiting() > 0 || !b.ended):
		return n, nil
	case b.err != nil:
		return n, b.err
	case b.ended && b.waiting() == 0:
		if b.trailer != nil {
			b.owner.takeTrailer(b.trailer)
			b.trailer = nil
		}
		return n, io.EOF
	}
	return n, nil
}

func (b *body) waiting() int {
	if b.buf == nil {
		return 0
	}
	return len(b.buf.bytes) - b.read
}

// proceed tells a peer that has asked whether to send the body to do so.
func (b *body) proceed() {
	b.mu.Lock()
	expected := b.expected
	b.expected = false
	b.mu.Unlock()
	if expected {
		b.owner.post(func(s *h2.Stream) { s.Headers(emptyBlock, []h2.Field{{Name: ":status", Value: "100"}}, false) })
	}
}

// Close says that the rest is not wanted.
func (b *body) Close() error {
	b.mu.Lock()
	credit := b.waiting() + b.credit
	b.closed, b.credit = true, 0
	b.drop()
	b.changed.Signal()
	b.mu.Unlock()
	b.consumed(credit)
	return nil
}

// free ends the body with its call, without a word to the peer.
func (b *body) free() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.drop()
}

// buffer is a piece of memory that calls pass on to each other.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, 0, bufferSize)} }}

func takeBuffer() *buffer {
	b, _ := buffers.Get().(*buffer)
	return b
}

func (b *buffer) free() {
	if b != nil && cap(b.bytes) <= largestKept {
		b.bytes = b.bytes[:0]
		buffers.Put(b)
	}
}
