package wire

import (
	"slices"
	"time"
)

// conn is the state of decoding one TCP connection that both directions share.
type conn struct {
	decoder *decoder
	halves  [2]*half // what was on the connection, by Side
	tls     *tlsConn // nil without TLS
	h2      *h2Conn  // nil unless HTTP/2 is spoken
	h1      *h1Conn  // nil unless HTTP/1.1 is spoken
}

// half is one direction of a connection, or of the data inside its TLS.
type half struct {
	conn   *conn
	from   Side
	inside bool // TLS
	buffer []byte
	// next decodes one unit at the front of data and returns its length in bytes, or 0 if part of
	// it has not come yet.
	next func(h *half, at time.Time, data []byte) int
}

func (d *decoder) open(c *conn) {
	c.decoder = d
	for side := range c.halves {
		c.halves[side] = &half{conn: c, from: Side(side), next: detect}
	}
	d.conns = append(d.conns, c)
}

// all are the halves that hold bytes of the socket.
func (c *conn) all() []*half {
	list := c.halves[:]
	if c.tls != nil {
		list = append(slices.Clip(list), c.tls.inner[:]...)
	}
	return list
}

func (h *half) feed(at time.Time, data []byte) {
	h.buffer = append(h.buffer, data...)
	for len(h.buffer) > 0 {
		n := h.next(h, at, h.buffer)
		if n == 0 {
			return
		}
		h.buffer = h.buffer[n:]
	}
}

// line adds a line of this direction.
func (h *half) line(at time.Time, l Line) {
	l.at, l.From = at, h.from
	h.conn.decoder.line(l)
}

// The first bytes of a client's HTTP/2, and of a server's answer in HTTP/1.1.
const (
	preface    = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	statusLine = "HTTP/"
)

// startsAs reports whether data begins as start does, as far as it has come.
func startsAs(data []byte, start string) bool {
	n := min(len(data), len(start))
	return string(data[:n]) == start[:n]
}

// detect looks at the first bytes of a direction, chooses its decoder, and passes them on. A server
// may answer in another protocol than it was called in, as when a client calls the wrong port.
func detect(h *half, at time.Time, data []byte) int {
	c := h.conn
	switch {
	case !h.inside && looksLikeTLS(data):
		h.next = c.startTLS
	case h.from == Client && startsAs(data, preface):
		if len(data) < len(preface) {
			return 0
		}
		c.startH2()
		h.line(at, Line{Size: len(preface), Kind: "preface", What: "connection preface",
			Meaning: "HTTP/2 begins"})
		h.next = c.h2.next
		return len(preface)
	case h.from == Server && !startsAs(data, statusLine):
		c.startH2()
		h.next = c.h2.next
	default:
		if c.h1 == nil {
			c.h1 = new(h1Conn)
		}
		h.next = c.h1.head
	}
	return h.next(h, at, data)
}

func (c *conn) startH2() {
	if c.h2 == nil {
		c.h2 = newH2()
	}
}
