package h2

const (
	// throughFrom is how much of a body makes it worth to write it from where it is.
	throughFrom = 32 << 10
	// largestThrough bounds how much of one body is written before others have a turn.
	largestThrough = 128 << 10
)

// mayWriteThrough reports whether the body of a stream, of which size bytes may go,
// can be written without a copy.
func (c *Conn) mayWriteThrough(size int64) bool {
	return size >= throughFrom && c.socket.TryWritev != nil && !c.writing && !c.writeEnded
}

// writeThrough writes the output, and after it frames of a large body straight from the
// stream's buffer, by one system call. What the socket does not take of a frame that it
// has begun goes to the output; the frames after that wait where they are.
func (c *Conn) writeThrough(s *Stream, size int) {
	frames := c.throughFrames(s, size)
	defer clear(frames) // so that an idle connection keeps no body alive
	n, err := c.socket.TryWritev(frames)
	c.frame = openFrame{}
	switch {
	case err != nil:
		c.writeFailed(err)
		return
	case n < len(c.out):
		c.writeLater(n)
		return
	}
	n -= len(c.out)
	c.out = c.out[:0]
	for frames = frames[1:]; len(frames) > 0 && n > 0; frames = frames[2:] {
		n = c.throughFrame(s, frames[0], frames[1], n)
	}
	if len(frames) > 0 || len(c.out) > 0 {
		c.waitForSocket(s)
	}
}

// throughFrames lists the output, and then heads and payloads of frames.
func (c *Conn) throughFrames(s *Stream, size int) [][]byte {
	c.vector, c.heads = append(c.vector[:0], c.out), c.heads[:0]
	for at, end := s.sent, s.sent+size; at < end; {
		n := min(c.frameLimit(), end-at)
		var flags uint8
		if at+n == len(s.pending) && s.ending && s.trailer == nil {
			flags = flagEndStream
		}
		c.heads = appendHead(c.heads, n, frameData, flags, s.id)
		c.vector = append(c.vector, c.heads[len(c.heads)-headLen:], s.pending[at:at+n])
		at += n
	}
	return c.vector
}

// throughFrame accounts for a frame of which the socket has taken something, and
// returns how much it has taken of those after it. The rest of the frame joins the
// output.
func (c *Conn) throughFrame(s *Stream, head, payload []byte, taken int) (left int) {
	s.sent += len(payload)
	s.sendWindow -= int64(len(payload))
	c.sendWindow -= int64(len(payload))
	c.served()
	if left = taken - len(head) - len(payload); left >= 0 {
		return left
	}
	c.out = append(c.out, head[min(taken, len(head)):]...)
	c.out = append(c.out, payload[max(0, taken-len(head)):]...)
	return 0
}

// waitForSocket has output wait for the socket, which is full, so that what is left of
// the stream goes on when it is not.
func (c *Conn) waitForSocket(s *Stream) {
	if len(c.out) == 0 {
		c.appendTurn(s)
	}
	c.flush()
}
