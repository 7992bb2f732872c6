package guard

import (
	"net"
	"time"
)

const (
	// restWithin is how long a peer may take for what it has begun: a frame's head, a
	// header block, a small frame. It is what a header has over HTTP/1.1. A DATA frame
	// may take longer as long as some of it comes in this time.
	restWithin = 5 * time.Second
	// bufferBytes is how much is read at once. net/http reads the head and the payload
	// of each frame apart, so that the buffer even saves reads.
	bufferBytes = 8 << 10
)

// Conn is a guarded connection. Like any net.Conn it takes one reader at a time.
type Conn struct {
	net.Conn
	scanner scanner
	buffer  []byte
	rest    []byte // what has been read and not been scanned
	ready   []byte // what has been scanned and not been handed out
	refused error  // why nothing comes after ready; nil while all is well

	begun int           // which of the things that the peer began spent is about
	spent time.Duration // how long this end has waited for the rest of it
	armed bool          // a read deadline is set
}

// Server guards a server's connection from its first byte on.
func Server(nc net.Conn) *Conn { return &Conn{Conn: nc, scanner: newScanner()} }

// Read implements net.Conn. Its errors are those of the connection, or say what
// the peer did.
func (c *Conn) Read(p []byte) (int, error) {
	for len(c.ready) == 0 {
		switch {
		case len(c.rest) > 0:
			c.scan()
			continue
		case c.refused != nil:
			return 0, c.refused
		case c.scanner.state == notHTTP2:
			c.buffer = nil
			return c.Conn.Read(p)
		}
		if c.buffer == nil {
			c.buffer = make([]byte, bufferBytes)
		}
		n, err := c.fill()
		if n == 0 {
			return 0, err // which may pass, such as a deadline that net/http set
		}
		c.rest = c.buffer[:n]
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// scan makes more of what was read ready.
func (c *Conn) scan() {
	n, err := c.scanner.scan(c.rest)
	c.ready, c.rest = c.rest[:n], c.rest[n:]
	if err != nil {
		c.refused, c.rest = err, nil
	}
}

// fill reads from the connection, and no longer than the peer has left for what it
// has begun. Only waiting counts: a peer is not to blame for a library that reads
// late.
func (c *Conn) fill() (int, error) {
	waits := c.scanner.waits()
	if waits == forNothing {
		if c.armed {
			c.armed = false
			_ = c.SetReadDeadline(time.Time{}) // fails on a closed connection only, as the read will
		}
		return c.Conn.Read(c.buffer)
	}
	if c.begun != c.scanner.begun || waits == forData {
		c.begun, c.spent = c.scanner.begun, 0
	}
	now := time.Now()
	c.armed = true
	_ = c.SetReadDeadline(now.Add(restWithin - c.spent))
	n, err := c.Conn.Read(c.buffer)
	c.spent += time.Since(now)
	return n, err
}
