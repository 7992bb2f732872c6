package h2

import "time"

// Patience is how long a connection may be of no use before Conn.Check ends it. A zero
// leaves that check out.
type Patience struct {
	Idle time.Duration // without a stream
	// Silence is how long nothing may come before the peer is sent a PING, and Answer
	// how long nothing may come after that.
	Silence, Answer time.Duration
}

// vigil is what Conn.Check remembers.
type vigil struct {
	batch  uint64        // the last one that it knew of
	heard  time.Duration // when it first knew of that
	pinged bool          // since then
	opened uint32        // the last stream that it knew of
	busy   time.Duration // when it last saw a stream, or that there had been one
}

// Check ends the connection if the peer has been idle for too long, or is gone without
// a word. It is called now and then, within Do: what it finds is as late as that.
func (c *Conn) Check(p Patience) {
	now, v := c.Now(), &c.vigil
	if v.batch != c.batch {
		v.batch, v.heard, v.pinged = c.batch, now, false
	}
	if v.opened != c.lastID || c.streams.n > 0 {
		v.opened, v.busy = c.lastID, now
	}
	switch {
	case p.Idle > 0 && now-v.busy >= p.Idle:
		c.fail(ErrClosed)
	case p.Silence > 0 && now-v.heard >= p.Silence+p.Answer && v.pinged:
		c.fail(errVanished)
	case p.Silence > 0 && now-v.heard >= p.Silence && !v.pinged:
		v.pinged = true
		c.out = appendPing(c.out, 0, [8]byte{'a', 'l', 'i', 'v', 'e'})
	}
}
