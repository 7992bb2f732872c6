package bare

import (
	"context"
	"errors"
	"math"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2/socket"
)

// loadConn keeps a driver's share of the calls in flight over one connection. When that
// ends, it opens another. The goroutine of drive is the event loop; what the socket does
// not take at once, another writes.
type loadConn struct {
	driver *Driver
	in     *reader        // of the event loop
	writer sync.WaitGroup // the other goroutine

	mu      sync.Mutex // guards the rest
	conn    net.Conn   // nil if there is none
	socket  socket.Socket
	out     outbox
	writing bool          // the other goroutine writes
	armed   time.Duration // when reading times out, or later
	sending []*loadCall   // have requests to send, the first of which goes first
	waiting []*loadCall   // have replies to come, the first of which come first
	unused  []*loadCall
	notes   calls.Notes

	pace      *load.Pace
	shard     *load.Shard
	share     int
	inFlight  int
	exhausted bool          // the pace lets no more calls begin
	reserved  bool          // a call waits for its intended time
	intended  time.Duration // of that call
	canceled  bool          // the driver's context is done: failures are not counted
}

const (
	never = time.Duration(math.MaxInt64)
	// outLimit bounds what is marshalled and not written: a call that has more to send
	// waits.
	outLimit = 128 << 10
)

// drive keeps share calls in flight until pace is exhausted or ctx is done.
func (c *loadConn) drive(ctx context.Context, share int, pace *load.Pace, shard *load.Shard) {
	defer shard.Flush()
	c.pace, c.shard, c.share, c.notes = pace, shard, share, calls.NewNotes(c.driver.record)
	c.exhausted, c.reserved, c.canceled, c.armed = false, false, false, never
	for !c.exhausted && ctx.Err() == nil {
		if err := c.connect(ctx); err != nil {
			c.failOne(ctx, err)
			continue
		}
		c.run(ctx)
	}
}

// connect makes sure that there is a connection.
func (c *loadConn) connect(ctx context.Context) error {
	if c.conn != nil {
		return nil
	}
	conn, err := c.driver.dial(ctx)
	if err != nil {
		return err
	}
	c.conn, c.socket, c.armed = conn, socket.New(conn), never
	c.in = newReader(c.socket.Read)
	c.out = outbox{small: []byte{modes[c.driver.work.Mode]}, size: 1}
	return nil
}

func (c *loadConn) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// failOne counts one call as failed because there is no connection.
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
	c.shard.Add(load.Completion{Intended: intended, Begun: intended, Ended: c.pace.Now(), Outcome: calls.Failed(callError(err))})
}

// run makes calls until none is in flight and no more can begin, or the connection ends.
func (c *loadConn) run(ctx context.Context) {
	conn := c.conn
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err := c.loop()
	c.mu.Lock()
	c.canceled = ctx.Err() != nil
	if err != nil || c.in.ahead() {
		c.close()
		c.fail(err)
	}
	c.mu.Unlock()
	c.writer.Wait()
}

// loop returns what ended the connection, or nil if there is nothing more to do.
func (c *loadConn) loop() (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fill(c.pace.Now())
	for err == nil && (c.inFlight > 0 || c.reserved) {
		for c.send(); c.flush() && len(c.sending) > 0; {
			c.send()
		}
		c.arm()
		c.mu.Unlock()
		err = c.in.more()
		c.mu.Lock()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = c.timedOut()
			continue
		}
		if err == nil {
			err = c.take()
		}
	}
	return err
}

// arm has reading time out when there is something else to do.
func (c *loadConn) arm() {
	due := c.due()
	if due < c.armed {
		c.armed = due
		_ = c.conn.SetReadDeadline(time.Now().Add(due - c.pace.Now())) // which fails only if reading does
	}
}

// due is when the first call's deadline passes, or the reserved call is to begin.
func (c *loadConn) due() time.Duration {
	due := never
	for _, queue := range [][]*loadCall{c.waiting, c.sending} {
		if len(queue) > 0 {
			due = min(due, queue[0].deadline)
		}
	}
	if c.reserved {
		due = min(due, c.intended)
	}
	return due
}

func (c *loadConn) timedOut() error {
	c.armed = never
	now := c.pace.Now()
	c.fill(now)
	for _, queue := range [][]*loadCall{c.waiting, c.sending} {
		if len(queue) > 0 && queue[0].deadline <= now {
			return os.ErrDeadlineExceeded
		}
	}
	return nil
}

// take takes the messages that have come.
func (c *loadConn) take() error {
	for {
		message, whole, err := c.in.next()
		if err != nil || !whole {
			return err
		}
		if err := c.reply(message); err != nil {
			return err
		}
	}
}

// send adds requests to what is to be written, until that is much.
func (c *loadConn) send() {
	for len(c.sending) > 0 && c.out.size < outLimit {
		if !c.sendNext(c.sending[0]) {
			c.sending = c.sending[:copy(c.sending, c.sending[1:])]
		}
	}
}

// flush writes what the socket takes at once, and leaves the rest to the other goroutine.
// It returns true if there is no rest.
func (c *loadConn) flush() bool {
	if !c.writing && len(c.out.pieces) == 0 {
		n, _ := c.socket.TryWrite(c.out.small) // an error comes again
		c.out.written(n)
	}
	if c.writing || c.out.size == 0 {
		return !c.writing
	}
	c.writing = true
	conn := c.conn
	c.writer.Go(func() { c.write(conn) })
	return false
}

// write writes until there is nothing more. An error of it ends the connection, which the
// event loop learns by reading.
func (c *loadConn) write(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.out.size > 0 && c.conn == conn {
		out := c.out.take()
		c.mu.Unlock()
		_, err := out.WriteTo(conn)
		c.mu.Lock()
		if err != nil {
			_ = conn.Close()
			break
		}
		c.send()
	}
	c.writing = false
}

// fail ends the calls in flight, if there are any, because err has ended the connection.
func (c *loadConn) fail(err error) {
	now := c.pace.Now()
	all := slices.Concat(c.waiting, c.sending)
	c.waiting, c.sending = nil, nil
	for _, call := range all {
		if call.over { // it is in both
			continue
		}
		if call.deadline <= now {
			call.judge(errDeadline)
		}
		call.judge(callError(err))
		c.end(call, now)
	}
}

var errDeadline = &greet.Error{Code: greet.CodeDeadlineExceeded, Message: "the call's deadline has passed"}
