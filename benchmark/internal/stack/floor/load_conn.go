package floor

import (
	"context"
	"slices"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

// loadConn keeps a driver's share of the calls in flight over one connection. When
// that ends, it opens another. It is the connection's h2.Handler.
type loadConn struct {
	driver *Driver
	wire   loadWire
	limit  int           // how many streams the server allows on the connection
	idle   chan struct{} // tells run that nothing is in flight and nothing can begin

	// The lock of h2conn guards the rest.
	h2conn   *h2.Conn
	greeted  chan struct{} // closed when the server's settings have come, or the connection has ended
	block    *h2.Block     // the header of every call
	timeout  time.Duration // that block announces
	messages loadMessages
	sender   sender

	record    calls.Record
	notes     calls.Notes
	pace      *load.Pace
	shard     *load.Shard
	share     int
	inFlight  int
	exhausted bool          // the pace lets no more calls begin
	reserved  bool          // a call waits for its intended time
	intended  time.Duration // of that call, on the pace's clock
	timer     *time.Timer   // fires at that time
	canceled  bool          // ctx is done: failures are not counted
}

// connect dials, and waits for the server's settings.
func (c *loadConn) connect(ctx context.Context) error {
	nc, err := c.driver.dial(ctx)
	if err != nil {
		return err
	}
	c.greeted = make(chan struct{})
	c.block, c.inFlight = nil, 0
	h2conn := h2.NewClient(nc, c)
	c.h2conn = h2conn
	c.timer = time.AfterFunc(time.Hour, func() { h2conn.Do(c.onTimer(h2conn)) })
	c.timer.Stop()
	go func() { _ = h2conn.Run() }() // the error reaches each call
	select {
	case <-c.greeted:
	case <-ctx.Done():
		return ctx.Err()
	}
	c.h2conn.Do(func() { c.limit, err = c.h2conn.Limit(), c.h2conn.Err() })
	return err
}

func (c *loadConn) close() {
	if c.h2conn != nil {
		c.h2conn.Close()
	}
}

// drive keeps share calls in flight until pace is exhausted or ctx is done.
func (c *loadConn) drive(ctx context.Context, share int, pace *load.Pace, shard *load.Shard) {
	defer shard.Flush()
	prepare := func() {
		c.pace, c.shard, c.share = pace, shard, share
		c.record, c.notes = c.driver.record, calls.NewNotes(c.driver.record)
		c.exhausted, c.reserved, c.canceled = false, false, false
	}
	if c.h2conn != nil {
		c.h2conn.Do(prepare)
	} else {
		prepare()
	}
	for !c.exhausted && ctx.Err() == nil {
		if err := c.reconnect(ctx); err != nil {
			c.failOne(ctx, err)
			continue
		}
		c.run(ctx)
	}
}

// reconnect makes sure that there is a connection to use.
func (c *loadConn) reconnect(ctx context.Context) error {
	if c.h2conn != nil {
		usable := false
		c.h2conn.Do(func() { usable = !c.h2conn.Leaving() })
		if usable {
			return nil
		}
		c.h2conn.Close()
	}
	return c.connect(ctx)
}

// failOne counts one call as failed because there is no connection. It waits a
// moment first, so that it does not spin while the server is away.
func (c *loadConn) failOne(ctx context.Context, err error) {
	intended, ok := c.pace.Next()
	if !ok {
		c.exhausted = true
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(max(redialPause, intended-c.pace.Now())):
	}
	outcome := load.Outcome{Code: greet.CodeUnavailable.String(), Text: err.Error()}
	c.shard.Add(load.Completion{Intended: intended, Begun: intended, Ended: c.pace.Now(), Outcome: outcome})
}

// run begins calls on the connection. It returns when none is in flight and no more
// can begin.
func (c *loadConn) run(ctx context.Context) {
	h2conn := c.h2conn
	select {
	case <-c.idle: // a signal from the connection before this one
	default:
	}
	h2conn.Do(func() {
		c.setTimeout(c.pace.Deadline())
		c.fill(c.pace.Now())
	})
	stop := context.AfterFunc(ctx, func() {
		h2conn.Do(func() { c.canceled = true })
		h2conn.Close()
	})
	<-c.idle
	if !stop() {
		h2conn.Close() // waits for the goroutine of AfterFunc, which closes too
	}
}

// setTimeout makes the request header, which announces the deadline. Both are the
// same for all calls.
func (c *loadConn) setTimeout(timeout time.Duration) {
	if c.block == nil || c.timeout != timeout {
		c.timeout = timeout
		c.block = requestBlock(c.driver.addr, c.driver.work.path, slices.Concat(c.wire.fields(timeout), c.driver.work.header)...)
	}
}

// fill begins calls while there is room and the pace allows it. now is the time on
// the pace's clock.
func (c *loadConn) fill(now time.Duration) {
	for !c.exhausted && !c.canceled && c.inFlight < c.share && c.h2conn.Available() > 0 {
		if !c.reserved {
			var ok bool
			if c.intended, ok = c.pace.Next(); !ok {
				c.exhausted = true
				break
			}
		}
		// Reading the clock takes a few percent of a call's time, so a call begins
		// up to a microsecond early.
		if c.intended > now+time.Microsecond {
			now = c.pace.Now()
		}
		now = max(now, min(c.intended, now+time.Microsecond))
		if c.reserved = c.intended > now; c.reserved {
			c.timer.Reset(c.intended - now)
			return
		}
		if !c.pace.Wanted(c.intended) {
			c.exhausted = true
			break
		}
		c.begin(c.intended, now)
	}
	c.report()
}

// onTimer returns the function that begins the reserved call. When the timer fires,
// the loadConn may already use another connection, with another lock.
func (c *loadConn) onTimer(h2conn *h2.Conn) func() {
	return func() {
		if h2conn.Err() == nil {
			c.fill(c.pace.Now())
		}
	}
}

// report wakes run if nothing is in flight and nothing can begin.
func (c *loadConn) report() {
	if c.inFlight == 0 && (c.exhausted || c.canceled || c.h2conn.Leaving()) {
		signal(c.idle)
	}
}

// begin begins one call.
func (c *loadConn) begin(intended, now time.Duration) {
	s := c.h2conn.Open(c.block, nil, false)
	call, ok := s.State.(*loadCall)
	if !ok {
		call = new(loadCall)
		s.State = call
	}
	call.work = c.driver.variant()
	call.intended, call.begun, call.deadline = intended, now, c.h2conn.After(c.timeout)
	call.note = c.notes.Begin(now)
	s.SetDeadline(call.deadline)
	c.inFlight++
	c.send(s, call)
}
