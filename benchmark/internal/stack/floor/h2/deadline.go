package h2

import "time"

// SetDeadline has Handler.Expired called once the connection's clock passes at. 0
// means never. A stream that ends before costs no timer.
func (s *Stream) SetDeadline(at time.Duration) {
	s.deadline = at
	if at != 0 && (s.conn.earliest == 0 || at < s.conn.earliest) {
		s.conn.earliest = at
	}
}

// arm sees to it that a timer fires at the earliest deadline. Streams come and go
// under one timer, which is set again only when it has fired or is too late.
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

// expire tells the handler of every deadline that has passed, and finds the next.
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
