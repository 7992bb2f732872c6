package h2

import (
	"sync"
	"time"
)

// Handler is told what happens on the streams of one connection. Its methods are
// called one at a time, with the connection locked: they must not block and must
// not call Conn.Do, and may use any method of the streams and the connection
// other than that. What they send goes out when the batch of input is done.
type Handler interface {
	// Headers brings the header of a stream, which for a server is how the stream
	// begins, or its trailer, which always ends the peer's half. End says that the
	// peer's half has ended.
	Headers(s *Stream, h *Header, end bool)
	// Data brings a piece of the peer's body, in order; p holds until the method
	// returns. The handler must call Consumed for what it has done with, sooner or
	// later, or the peer has to stop.
	Data(s *Stream, p []byte, end bool)
	// Writable says that all is sent of a stream that was Blocked.
	Writable(s *Stream)
	// Expired says that the stream's deadline has passed, once.
	Expired(s *Stream)
	// Closed is the last call for each stream, however it ended. The handler may
	// open another stream here; s is not to be used afterwards.
	Closed(s *Stream, end End)
	// Changed says that the peer's settings have come or changed, or that it
	// takes no more streams.
	Changed(c *Conn)
	// Ended is the last call for the connection, after Closed for every stream.
	Ended(c *Conn, err error)
}

// Stream is one request and its response. It is used with its connection locked.
type Stream struct {
	// State belongs to the handler. It is kept when the Stream is used again for
	// another stream, so that the handler can use it again too.
	State any

	conn *Conn
	id   uint32

	headed       bool // the peer's header has come
	localEnded   bool
	remoteEnded  bool
	finishing    bool // see Finish
	closing      bool // waits in Conn.closing to be closed
	end          End
	deadline     time.Duration // on the connection's clock; 0 means none
	sendWindow   int64         // below 0 after the peer has made its windows smaller
	recvWindow   int64         // what the peer may still send
	held         int64         // what the connection's window is smaller by
	consumed     int64         // what the handler is done with, not yet credited
	pending      []byte        // of the body, waits for a window or the socket
	sent         int           // how much of pending has gone
	lent         bool          // pending belongs to the caller of Lend
	ending       bool          // the stream ends after pending
	trailer      *Block        // that goes after pending, with trailerExtra
	trailerExtra []Field
	queued       bool    // stands in Conn.queue
	next         *Stream // in Conn.queue
	nextClosing  *Stream // in Conn.closing or Conn.free
	born         uint64  // the batch in which the stream was opened
}

// ID is the stream's number on its connection.
func (s *Stream) ID() uint32 { return s.id }

// Conn is the connection that the stream is on.
func (s *Stream) Conn() *Conn { return s.conn }

// Open reports whether the stream can still send.
func (s *Stream) Open() bool { return !s.localEnded && !s.closing }

// RemoteEnded reports whether the peer has ended its half.
func (s *Stream) RemoteEnded() bool { return s.remoteEnded }

// Blocked reports whether something that was written still waits. The handler
// should write no more until Writable is called: what it writes is kept, and
// memory is what it costs.
func (s *Stream) Blocked() bool { return s.waiting() > 0 }

func (s *Stream) waiting() int { return len(s.pending) - s.sent }

// Headers sends a header, or, after data, a trailer, which must end the stream.
// The extra fields come after those of the block.
func (s *Stream) Headers(b *Block, extra []Field, end bool) {
	switch {
	case !s.Open():
	case s.waiting() > 0:
		s.trailer, s.trailerExtra, s.ending = b, extra, true
	default:
		s.conn.appendBlock(s.id, s.conn.encoder.encode(b, extra), end)
		s.endLocal(end)
	}
}

// Write sends a piece of the body. It copies p, and keeps what the peer's windows
// and the socket do not take at once.
func (s *Stream) Write(p []byte, end bool) {
	if !s.Open() || s.ending {
		return
	}
	if s.waiting() == 0 {
		p = p[s.conn.appendData(s, p, end):]
		if len(p) == 0 {
			s.endLocal(end)
			return
		}
		s.pending, s.sent = s.pending[:0], 0
	}
	s.keep(p)
	s.ending = end
	s.enqueue()
}

// Give sends a piece of the body, and takes over p, which should come from TakeBuffer:
// a large message is not copied to wait for the peer's windows and the socket. The
// stream is Blocked until it has gone.
func (s *Stream) Give(p []byte, end bool) {
	if !s.Open() || s.ending || s.waiting() > 0 || len(p) == 0 {
		s.Write(p, end)
		putBuffer(p)
		return
	}
	putBuffer(s.pending)
	s.pending, s.sent, s.ending = p, 0, end
	s.enqueue()
}

// Lend is Give of a buffer that stays the caller's, who must not change it as long as
// the stream is Blocked and has not ended.
func (s *Stream) Lend(p []byte, end bool) {
	if !s.Open() || s.ending || s.waiting() > 0 || len(p) == 0 {
		s.Write(p, end)
		return
	}
	putBuffer(s.pending)
	s.pending, s.sent, s.ending, s.lent = p, 0, end, true
	s.enqueue()
}

// Reset ends the stream at once, in both directions.
func (s *Stream) Reset(code ErrCode) {
	if s.closing {
		return
	}
	s.conn.out = appendWord(s.conn.out, frameReset, s.id, uint32(code))
	s.close(End{Local, code})
}

// Finish says that the rest of the peer's half is not wanted: once this half has
// ended, the stream is reset with NO_ERROR if the peer's has not (RFC 9113,
// section 8.1).
func (s *Stream) Finish() {
	s.finishing = true
	s.letGo(s.held)
	if s.localEnded && !s.remoteEnded {
		s.Reset(NoError)
	}
}

func (s *Stream) endLocal(end bool) {
	if !end {
		return
	}
	s.localEnded = true
	switch {
	case s.remoteEnded:
		s.close(End{})
	case s.finishing:
		s.Reset(NoError)
	}
}

func (s *Stream) endRemote() {
	s.remoteEnded = true
	if s.localEnded {
		s.close(End{})
	}
}

// close marks the stream. The handler is told by reap, once whoever holds the
// stream now has let go of it.
func (s *Stream) close(end End) {
	if s.closing {
		return
	}
	s.closing, s.end = true, end
	s.nextClosing, s.conn.closing = s.conn.closing, s
}

// largestKept bounds the buffer that a stream keeps for its next use.
const largestKept = 64 << 10

// largeBuffers are buffers above that, which streams take turns at.
var largeBuffers sync.Pool

// TakeBuffer returns an empty buffer with room for size bytes, for Give.
func TakeBuffer(size int) []byte {
	if large, ok := largeBuffers.Get().(*[]byte); ok && cap(*large) >= size {
		return (*large)[:0]
	}
	return make([]byte, 0, size)
}

// putBuffer lets another stream use a large buffer.
func putBuffer(p []byte) {
	if cap(p) > largestKept {
		p = p[:0]
		largeBuffers.Put(&p)
	}
}

// keep adds to what waits.
func (s *Stream) keep(p []byte) {
	if need := len(s.pending) + len(p); need > largestKept && need > cap(s.pending) {
		s.pending = append(TakeBuffer(need), s.pending...)
	}
	s.pending = append(s.pending, p...)
}

// takeBack lets go of a buffer that was lent.
func (s *Stream) takeBack() {
	if s.lent {
		s.pending, s.sent, s.lent = nil, 0, false
	}
}

// recycle makes the stream as new, but for what is worth keeping.
func (s *Stream) recycle() {
	s.takeBack()
	kept := s.pending[:0]
	if cap(kept) > largestKept {
		putBuffer(kept)
		kept = nil
	}
	*s = Stream{State: s.State, conn: s.conn, pending: kept, next: s.next, queued: s.queued}
}
