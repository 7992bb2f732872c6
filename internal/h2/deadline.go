package h2

import (
	"math"
	"time"
)

// After returns the time on the connection's clock when d will have passed. It
// saturates: the longest gRPC timeout added to any time must not wrap around into the
// past.
func (c *Conn) After(d time.Duration) time.Duration {
	now := c.Now()
	if d > math.MaxInt64-now {
		return math.MaxInt64
	}
	return now + d
}

// SetDeadline has the connection call Handler.Expired once its clock passes at. 0
// means never. All streams share one timer.
func (s *Stream) SetDeadline(at time.Duration) {
	s.deadline = at
	if at != 0 && (s.conn.earliest == 0 || at < s.conn.earliest) {
		s.conn.earliest = at
	}
}

// arm sets the timer for the earliest deadline, unless it fires before that anyway.
func (c *Conn) arm() {
	if c.earliest == 0 || c.streams.n == 0 || c.armed != 0 && c.armed <= c.earliest {
		return
	}
	c.armed = c.earliest
	wait := c.earliest - time.Since(c.epoch)
	if c.timer == nil {
		c.timer = time.AfterFunc(wait, func() { c.Do(c.expire) })
		return
	}
	c.timer.Reset(wait)
}

// expire calls the handler for every deadline that has passed, and finds the next.
func (c *Conn) expire() {
	c.armed, c.earliest = 0, 0
	now := c.Now()
	for s := range c.streams.all() {
		switch {
		case s.deadline == 0:
		case s.deadline <= now:
			s.deadline = 0
			c.handler.Expired(s)
		case c.earliest == 0 || s.deadline < c.earliest:
			c.earliest = s.deadline
		}
	}
}
