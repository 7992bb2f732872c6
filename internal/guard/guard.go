package guard

import (
	"net"
	"time"
)

const (
	// restWithin is how long a peer may take to finish a frame's head, a header block or a small
	// frame. A header over HTTP/1.1 has as long. A DATA frame may take longer as long as part of
	// it arrives within this time.
	restWithin = 5 * time.Second
	// bufferBytes is how much is read at once. net/http reads the head and the payload of a frame
	// separately, so the buffer even saves reads.
	bufferBytes = 8 << 10
)

// Conn is a guarded connection. Like any net.Conn it takes one reader at a time.
type Conn struct {
	net.Conn
	scanner scanner
	buffer  []byte
	rest    []byte // read, not yet scanned
	ready   []byte // scanned, not yet returned by Read
	refused error  // the error after ready; nil while all is well

	begun int           // scanner.begun when spent began to count
	spent time.Duration // how long this end has waited since then
	armed bool          // a read deadline is set
}

// Server guards a server's connection, beginning with its first byte.
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
			return 0, err // a later read may succeed, as after a deadline of net/http's
		}
		c.rest = c.buffer[:n]
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// scan moves bytes from rest to ready.
func (c *Conn) scan() {
	n, err := c.scanner.scan(c.rest)
	c.ready, c.rest = c.rest[:n], c.rest[n:]
	if err != nil {
		c.refused, c.rest = err, nil
	}
}

// fill reads from the connection for as long as the peer has left to finish what it has begun. Only
// waiting counts: a library that reads late is not the peer's fault.
func (c *Conn) fill() (int, error) {
	waits := c.scanner.waits()
	if waits == forNothing {
		if c.armed {
			c.armed = false
			_ = c.SetReadDeadline(time.Time{}) // fails only on a closed connection, and so will the read
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
