package h2

import "encoding/binary"

// departing is how far a connection is on its way to an orderly end (RFC 9113,
// section 6.8).
type departing struct {
	sent     goAwayStage // by this end
	peerLeft bool        // the peer has sent GOAWAY
}

type goAwayStage uint8

const (
	noGoAway goAwayStage = iota
	// firstGoAway names the highest possible stream: "open no more, but what is on
	// its way is served".
	firstGoAway
	// finalGoAway names the last stream that is served.
	finalGoAway
)

// drainPing is sent with the first GOAWAY. When it comes back, the peer has seen
// that too, and all that it had sent before has come.
var drainPing = [8]byte{'d', 'r', 'a', 'i', 'n'}

// Drain lets the streams that are open, or on their way, end, and then ends the
// connection. A client that drains opens no more streams.
func (c *Conn) Drain() {
	if c.departing.sent != noGoAway || c.failure != nil {
		return
	}
	if c.client || !c.greeted {
		c.lastGoAway()
		return
	}
	c.departing.sent = firstGoAway
	c.out = appendGoAway(c.out, maxStreamID, NoError, "")
	c.out = appendPing(c.out, 0, drainPing)
}

func (c *Conn) lastGoAway() {
	if c.departing.sent == finalGoAway {
		return
	}
	c.departing.sent = finalGoAway
	c.out = appendGoAway(c.out, c.lastPeerStream(), NoError, "")
}

// lastPeerStream is the last stream of the peer's that was or is served.
func (c *Conn) lastPeerStream() uint32 {
	if c.client {
		return 0
	}
	return c.lastID
}

// goAway takes a GOAWAY frame. Streams of ours above the one it names have not
// been served and will not be.
func (c *Conn) goAway(h head, p []byte) error {
	switch {
	case h.stream != 0:
		return connError(ProtocolError, "GOAWAY on a stream")
	case len(p) < 8:
		return connError(FrameSizeError, "GOAWAY too short")
	}
	last := binary.BigEndian.Uint32(p) & maxStreamID
	code := ErrCode(binary.BigEndian.Uint32(p[4:]))
	c.departing.peerLeft, c.changed = true, true
	if c.client {
		for s := range c.streams.all() {
			if s.id > last {
				s.close(End{Refused, RefusedStream}) // as good as reset with that (section 8.7)
			}
		}
	}
	if code != NoError {
		return &ConnError{Code: code, Reason: string(p[8:]), Peer: true}
	}
	return nil
}

// retire ends a connection that was asked to end once nothing is open on it.
func (c *Conn) retire() {
	leaving := c.departing.sent == finalGoAway || c.departing.peerLeft
	if leaving && c.streams.n == 0 {
		c.fail(ErrClosed)
	}
}
