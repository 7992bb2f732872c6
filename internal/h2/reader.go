package h2

import (
	"errors"
	"io"
	"os"
	"strings"
	"time"
)

const (
	// readBuffer holds a whole frame and part of the next.
	readBuffer = 32 << 10
	// largestRead is how large the buffer grows for a peer that fills it.
	largestRead = 256 << 10

	// greetingPatience is how long a peer may take to send its preface and
	// SETTINGS: one that connects and says nothing holds a file descriptor.
	greetingPatience = 5 * time.Second
	// framePatience is how long a peer may take over a header, once begun.
	framePatience = 5 * time.Second
	// lingering is how long a connection that we end stays open to read. To close
	// it with input unread would make the kernel send a TCP reset, which can
	// destroy the GOAWAY before the peer has seen it.
	lingering = 250 * time.Millisecond
)

// read reads a batch and serves it. It returns false when the connection is over.
func (c *Conn) read() bool {
	n, err := c.socket.Read(c.in[c.filled:])
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return false
	}
	c.batch++
	c.now = 0
	full := c.filled+n == len(c.in)
	used, fault := c.receive(c.in[:c.filled+n])
	c.filled = copy(c.in, c.in[used:c.filled+n])
	if full && len(c.in) < largestRead {
		c.in = append(make([]byte, 0, 2*len(c.in)), c.in...)[:2*len(c.in)]
	}
	switch {
	case fault != nil:
		c.fail(fault)
	case err != nil:
		c.fail(c.readError(err))
	}
	c.finish()
	c.watch()
	c.awaitRoom()
	return c.failure == nil
}

// earlyWrite is how many bytes make it worth its system call to write what half of a
// batch of input has led to: about twenty small calls.
const earlyWrite = 1000

// receive serves the whole frames at the beginning of p, and returns how many
// bytes they were. What the first half of them led to is written before the rest is
// served, if it is much: otherwise each end would wait while the other one works.
func (c *Conn) receive(p []byte) (used int, err error) {
	if c.greeting != "" {
		used = min(len(p), len(c.greeting))
		if !strings.HasPrefix(c.greeting, string(p[:used])) {
			return used, connError(ProtocolError, "not the preface of HTTP/2")
		}
		c.greeting = c.greeting[used:]
	}
	for early := false; len(p)-used >= headLen && c.failure == nil; {
		h := parseHead(p[used:])
		if h.length > maxFrame {
			return used, connError(FrameSizeError, "frame larger than MAX_FRAME_SIZE")
		}
		end := used + headLen + h.length
		if end > len(p) {
			break
		}
		if err := c.dispatch(h, p[used+headLen:end]); err != nil {
			return used, err
		}
		c.reap()
		if c.fragment.stream == 0 {
			c.whole++
		}
		used = end
		if !early && used >= len(p)/2 && len(c.out) >= earlyWrite {
			c.flush()
			early = true
		}
	}
	return used, nil
}

// readError says what the end of the input means.
func (c *Conn) readError(err error) error {
	switch {
	case errors.Is(err, io.EOF) && c.streams.n == 0:
		return ErrClosed
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case errors.Is(err, os.ErrDeadlineExceeded):
		return connError(ProtocolError, "took too long to send a preface or a header")
	}
	return err
}

// watch sets a time limit while something is half sent that a peer sends in one
// go: the preface, the head of a frame, or a header. A peer that sends it byte by byte
// gets no more time. The payload of a DATA frame may take as long as it likes.
func (c *Conn) watch() {
	if !c.greeted {
		return
	}
	half := c.fragment.stream != 0 || c.filled > 0 && (c.filled < headLen || parseHead(c.in).kind != frameData)
	switch {
	case half && (!c.watched || c.watchedWhole != c.whole):
		c.hurry(framePatience)
	case !half && c.watched:
		_ = c.nc.SetReadDeadline(time.Time{})
	}
	c.watched, c.watchedWhole = half, c.whole
}

// hurry gives the peer a time limit. A connection that cannot have one is closed
// already.
func (c *Conn) hurry(patience time.Duration) {
	c.watched = true
	_ = c.nc.SetReadDeadline(time.Now().Add(patience))
}

// linger lets the last output go, and reads what a peer still sends that is not
// served any more, until it has understood, or for a moment.
func (c *Conn) linger() {
	c.mu.Lock()
	for c.writing {
		c.room.Wait()
	}
	c.mu.Unlock()
	_ = c.nc.SetReadDeadline(time.Now().Add(lingering))
	_, _ = io.Copy(io.Discard, io.LimitReader(c.nc, 2<<20))
}
