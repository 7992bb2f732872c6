package h2

import "encoding/binary"

// Windows that we give the peer (RFC 9113, section 5.2). A stream's bounds what
// the peer can make us hold for it while its handler does not read. A server's
// connection has the other bound, on what it holds for all its streams: its window
// opens as handlers read. So three streams that nobody reads do not stop the others,
// and four do, until one of them is read or ends. A client chooses itself what it does
// not read, so there the connection's window opens as data comes.
const (
	streamWindow     = 256 << 10
	connectionWindow = 1 << 20
)

// receivedData accounts for size bytes of flow-controlled payload, padding included.
func (c *Conn) receivedData(size int) error {
	c.recvWindow -= int64(size)
	if c.recvWindow < 0 {
		return connError(FlowControlError, "more data than the connection's window allows")
	}
	c.release(0) // what was too little to tell may now be as much as is left
	return nil
}

// release takes back size bytes that are held no more. The peer is told once it may send
// as much by them as it may without: a WINDOW_UPDATE for each frame would cost as much
// as the frame, and a peer with little left must not wait for much.
func (c *Conn) release(size int64) {
	c.released += size
	if c.released == 0 || c.released < c.recvWindow {
		return
	}
	c.out = appendWord(c.out, frameWindow, 0, uint32(c.released))
	c.recvWindow += c.released
	c.released = 0
}

// Share is how much of a body a handler may have read and not have told by Consumed when
// it waits for more, in bytes: if all streams keep that much, half of the connection's
// window is left.
func (c *Conn) Share() int {
	return connectionWindow / 2 / int(max(1, min(c.local.maxStreams, connectionWindow/2)))
}

// hold accounts for data that the handler has yet to consume.
func (s *Stream) hold(size int) {
	s.recvWindow -= int64(size)
	if s.conn.client {
		s.conn.release(int64(size))
		return
	}
	s.held += int64(size)
}

// Consumed says that the handler is done with n bytes of the stream's body, which
// lets the peer send as many more. Padding is consumed by itself.
func (s *Stream) Consumed(n int) {
	s.letGo(int64(n))
	s.consumed += int64(n)
	if s.consumed < streamWindow/2 || s.remoteEnded || s.closing {
		return
	}
	s.conn.out = appendWord(s.conn.out, frameWindow, s.id, uint32(s.consumed))
	s.recvWindow += s.consumed
	s.consumed = 0
}

// letGo gives n bytes of what the stream holds, or all of it, back to the connection.
func (s *Stream) letGo(n int64) {
	n = min(n, s.held)
	s.held -= n
	s.conn.release(n)
}

// windowUpdate takes a WINDOW_UPDATE frame (section 6.9).
func (c *Conn) windowUpdate(h head, p []byte) error {
	if len(p) != 4 {
		return connError(FrameSizeError, "WINDOW_UPDATE whose length is not 4")
	}
	increment := int64(binary.BigEndian.Uint32(p) & maxWindow)
	if h.stream == 0 {
		if increment == 0 {
			return connError(ProtocolError, "WINDOW_UPDATE of 0")
		}
		c.sendWindow += increment
		if c.sendWindow > maxWindow {
			return connError(FlowControlError, "connection window above 2^31-1")
		}
		return nil
	}
	s, err := c.lookup(h)
	if s == nil {
		return err
	}
	if increment == 0 {
		return c.streamError(s, ProtocolError)
	}
	s.sendWindow += increment
	if s.sendWindow > maxWindow {
		return c.streamError(s, FlowControlError)
	}
	s.enqueue()
	return nil
}

// resizeWindows follows a change of the peer's INITIAL_WINDOW_SIZE: it moves the
// windows of all open streams by the difference, which may leave some below 0
// (section 6.9.2). The connection's own window stays.
func (c *Conn) resizeWindows(size uint32) error {
	if size > maxWindow {
		return connError(FlowControlError, "INITIAL_WINDOW_SIZE above 2^31-1")
	}
	difference := int64(size) - int64(c.peer.window)
	c.peer.window = size
	for s := range c.streams.all() {
		s.sendWindow += difference
		if s.sendWindow > maxWindow {
			return connError(FlowControlError, "stream window above 2^31-1")
		}
		s.enqueue()
	}
	return nil
}

// openFrame is the DATA frame at the end of the output. As long as nothing follows it,
// more of its stream's body extends it: many small messages become one frame, which
// both ends handle once.
type openFrame struct {
	stream uint32 // 0 if there is none
	start  int    // where its head is in Conn.out
	end    int    // where its payload ends, which is the end of Conn.out
}

// frameLimit is how large the frames are that we send: as large as the peer accepts,
// and small enough that streams take turns.
func (c *Conn) frameLimit() int { return min(int(c.peer.maxFrame), largestFrame) }

// largestFrame bounds frames to peers that would accept larger ones.
const largestFrame = 64 << 10

// appendData appends as much of p as the windows, and the output buffer, have
// room for, in frames that the peer accepts, and returns how much that was. The
// last frame carries END_STREAM if end is set and all of p has gone. An empty
// frame takes no window.
func (c *Conn) appendData(s *Stream, p []byte, end bool) (n int) {
	for n < len(p) {
		if min(s.sendWindow, c.sendWindow) <= 0 || !c.hasRoom() {
			return n
		}
		size := c.dataFrame(s)
		room := int(min(int64(len(p)-n), s.sendWindow, c.sendWindow, int64(c.frameLimit()-size)))
		c.out = append(c.out, p[n:n+room]...)
		s.sendWindow -= int64(room)
		c.sendWindow -= int64(room)
		n += room
		c.resizeFrame(size+room, end && n == len(p))
	}
	if len(p) == 0 && end {
		c.resizeFrame(c.dataFrame(s), true)
	}
	return n
}

// dataFrame begins a DATA frame, unless one of the stream is open that has room. It
// returns the size of its payload so far.
func (c *Conn) dataFrame(s *Stream) (size int) {
	f := &c.frame
	if f.stream == s.id && f.end == len(c.out) {
		if size = f.end - f.start - headLen; size < c.frameLimit() {
			return size
		}
	}
	c.served()
	*f = openFrame{stream: s.id, start: len(c.out)}
	c.out = appendHead(c.out, 0, frameData, 0, s.id)
	f.end = len(c.out)
	return 0
}

// resizeFrame writes the size of the open frame's payload into its head, and closes it
// if the stream ends with it.
func (c *Conn) resizeFrame(size int, end bool) {
	var flags uint8
	if end {
		flags = flagEndStream
	}
	appendHead(c.out[:c.frame.start], size, frameData, flags, c.frame.stream)
	c.frame.end = len(c.out)
	if end {
		c.frame = openFrame{}
	}
}

// enqueue has pump come to the stream, if it has something to send and may.
func (s *Stream) enqueue() {
	if s.queued || s.waiting() == 0 || s.sendWindow <= 0 || s.closing {
		return
	}
	s.queued = true
	s.next = nil
	if s.conn.queueLast == nil {
		s.conn.queue = s
	} else {
		s.conn.queueLast.next = s
	}
	s.conn.queueLast = s
}

func (c *Conn) dequeue() *Stream {
	s := c.queue
	c.queue = s.next
	if c.queue == nil {
		c.queueLast = nil
	}
	s.queued, s.next = false, nil
	return s
}

// pump sends what waits, a frame of each stream in turn, so that none has to wait
// for the whole of another.
func (c *Conn) pump() {
	for c.queue != nil && c.sendWindow > 0 && c.hasRoom() {
		s := c.dequeue()
		if s.closing || s.waiting() == 0 {
			continue
		}
		if size := min(int64(s.waiting()), s.sendWindow, c.sendWindow, largestThrough); c.mayWriteThrough(size) {
			c.writeThrough(s, int(size))
		} else {
			c.appendTurn(s)
		}
		if s.waiting() > 0 {
			s.enqueue()
			continue
		}
		c.drained(s)
		c.reap()
	}
}

// appendTurn appends a frame of what waits on the stream.
func (c *Conn) appendTurn(s *Stream) {
	piece := s.pending[s.sent:min(s.sent+c.frameLimit(), len(s.pending))]
	last := s.sent+len(piece) == len(s.pending)
	s.sent += c.appendData(s, piece, last && s.ending && s.trailer == nil)
}

// drained goes on with a stream that has nothing waiting any more.
func (c *Conn) drained(s *Stream) {
	s.takeBack()
	if s.trailer != nil {
		c.appendBlock(s.id, c.encoder.encode(s.trailer, s.trailerExtra), true)
	}
	s.endLocal(s.ending)
	c.handler.Writable(s)
}
