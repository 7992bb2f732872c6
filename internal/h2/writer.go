package h2

import (
	"errors"
	"os"
	"time"
)

const (
	// highWater is how much output may wait before data has to wait too.
	highWater = 64 << 10
	// maxBacklog is how much output may wait before we stop reading. Data never
	// fills it, but a peer that sends pings and does not read the answers would.
	maxBacklog = 1 << 20
	// writePatience is how long a peer may leave the socket full.
	writePatience = 30 * time.Second
)

// hasRoom reports whether data may be added to the output. It writes, if that
// makes room.
func (c *Conn) hasRoom() bool {
	if len(c.out) >= highWater {
		c.flush()
	}
	return len(c.out) < highWater
}

// flush writes what the socket takes at once. The rest goes to a goroutine.
func (c *Conn) flush() {
	if len(c.out) == 0 || c.writing || c.writeEnded {
		return
	}
	c.frame = openFrame{}
	n, err := c.socket.TryWrite(c.out)
	if err != nil {
		c.writeFailed(err)
		return
	}
	if n == len(c.out) {
		c.out = c.out[:0]
		return
	}
	c.writeLater(n)
}

// writeLater leaves the output, but for the first n bytes, to a goroutine.
func (c *Conn) writeLater(n int) {
	rest, whole := c.out[n:], c.out[:0]
	c.out, c.spare = c.spare[:0], nil
	c.writing = true
	go c.write(rest, whole)
}

// write waits for the socket to take the rest, and then lets go on what had to
// wait for that. Whole is the buffer that rest is in.
func (c *Conn) write(rest, whole []byte) {
	_ = c.nc.SetWriteDeadline(time.Now().Add(writePatience))
	_, err := c.nc.Write(rest)
	_ = c.nc.SetWriteDeadline(time.Time{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing, c.spare = false, whole
	if err != nil {
		c.writeFailed(err)
	}
	c.now = 0
	c.finish()
	if c.ended {
		c.closeWrite()
	}
	c.room.Broadcast()
}

// writeFailed ends a connection that does not take what was to be written.
func (c *Conn) writeFailed(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errStalled
	}
	c.writeEnded, c.out, c.frame = true, c.out[:0], openFrame{}
	c.fail(err)
}

// awaitRoom holds up the reader while too much output waits.
func (c *Conn) awaitRoom() {
	for len(c.out) > maxBacklog && c.writing && c.failure == nil {
		c.room.Wait()
	}
}

// closeWrite tells the peer's kernel that no more will come, once all has gone.
func (c *Conn) closeWrite() {
	if c.writing {
		return // write calls it again
	}
	c.writeEnded = true
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails if the connection is gone already
	}
}

// appendBlock appends a header block: a HEADERS frame, and CONTINUATION frames if
// it is long.
func (c *Conn) appendBlock(stream uint32, block []byte, end bool) {
	var flags uint8
	if end {
		flags = flagEndStream
	}
	kind := frameHeaders
	for len(block) > maxFrame {
		c.out = appendHead(c.out, maxFrame, kind, flags, stream)
		c.out = append(c.out, block[:maxFrame]...)
		block, kind, flags = block[maxFrame:], frameContinuation, 0
	}
	c.out = appendHead(c.out, len(block), kind, flags|flagEndHeaders, stream)
	c.out = append(c.out, block...)
}
