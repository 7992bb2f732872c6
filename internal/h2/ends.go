package h2

import "net"

// NewServer returns the server's end of a connection that was just accepted.
// streams is how many the client may have open. Run serves it.
func NewServer(nc net.Conn, h Handler, streams uint32) *Conn {
	c := newConn(nc, h, false)
	c.local.maxStreams = streams
	c.greeting = preface
	c.greet()
	return c
}

// SkipPreface says that whoever accepted the connection has read the client's preface
// already. It is called before Run.
func (c *Conn) SkipPreface() { c.greeting = "" }

// NewClient returns the client's end of a connection that was just dialled. Run
// serves it.
func NewClient(nc net.Conn, h Handler) *Conn {
	c := newConn(nc, h, true)
	c.local.push = 0
	c.local.maxStreams = 0
	c.greet()
	return c
}

// Leaving reports whether the connection opens no more streams, now or later.
func (c *Conn) Leaving() bool {
	return c.failure != nil || c.departing != (departing{}) || c.lastID >= maxStreamID-1
}

// Available is how many more streams a client may open now. Before the server's
// settings have come it is none: Handler.Changed says when they have.
func (c *Conn) Available() int {
	if !c.greeted || c.Leaving() {
		return 0
	}
	return int(min(int64(c.peer.maxStreams), maxStreamID)) - c.streams.n
}

// Limit is how many streams the server lets a client have open at once; 0 as long
// as that is not known.
func (c *Conn) Limit() int {
	if !c.greeted {
		return 0
	}
	return int(min(int64(c.peer.maxStreams), maxStreamID))
}

// HeaderLimit is how large a header the peer accepts, counted as in RFC 9113, section
// 6.5.2.
func (c *Conn) HeaderLimit() uint32 { return c.peer.headerList }

// Open opens a stream with its header, or returns nil if none is Available.
func (c *Conn) Open(b *Block, extra []Field, end bool) *Stream {
	if c.Available() <= 0 {
		return nil
	}
	id := c.lastID + 2
	if c.lastID == 0 {
		id = 1
	}
	s := c.open(id)
	s.Headers(b, extra, end)
	return s
}
