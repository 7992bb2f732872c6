package floor

import (
	"context"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/stack/floor/h2"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
)

// lane keeps a driver's share of calls in flight over one connection, and over
// another when that one ends. It is the connection's h2.Handler.
type lane struct {
	driver *Driver
	limit  int           // streams that the server allows on the connection
	idle   chan struct{} // tells drive that nothing is in flight and nothing can begin

	// The rest is guarded by the lock of the connection that conn is.
	conn     *h2.Conn
	greeted  chan struct{} // closed when the server's settings have come, or the connection has ended
	block    *h2.Block     // the header of every call
	timeout  time.Duration // that block speaks of
	response greetv1.GreetResponse
	scratch  []byte

	pace      *load.Pace
	shard     *load.Shard
	share     int
	inFlight  int
	exhausted bool          // the pace lets no more calls begin
	reserved  bool          // intended is of a call whose time has not come
	intended  time.Duration // on the pace's clock
	timer     *time.Timer   // for that
	quiet     bool          // the calls in flight are given up
}

// connect dials, and waits for the server's settings.
func (l *lane) connect(ctx context.Context) error {
	nc, err := l.driver.dial(ctx)
	if err != nil {
		return err
	}
	l.greeted = make(chan struct{})
	l.block, l.inFlight = nil, 0
	conn := h2.NewClient(nc, l)
	l.conn = conn
	l.timer = time.AfterFunc(time.Hour, func() { conn.Do(l.turn(conn)) })
	l.timer.Stop()
	go func() { _ = conn.Run() }() // its calls know how it ended
	select {
	case <-l.greeted:
	case <-ctx.Done():
		return ctx.Err()
	}
	l.conn.Do(func() { l.limit, err = l.conn.Limit(), l.conn.Err() })
	return err
}

func (l *lane) close() {
	if l.conn != nil {
		l.conn.Close()
	}
}

// drive keeps share calls in flight until pace is exhausted or ctx is done.
func (l *lane) drive(ctx context.Context, share int, pace *load.Pace, shard *load.Shard) {
	defer shard.Flush()
	task := func() {
		l.pace, l.shard, l.share = pace, shard, share
		l.exhausted, l.reserved, l.quiet = false, false, false
	}
	if l.conn != nil {
		l.conn.Do(task)
	} else {
		task()
	}
	for !l.exhausted && ctx.Err() == nil {
		if err := l.reconnect(ctx); err != nil {
			l.failOne(ctx, err)
			continue
		}
		l.fly(ctx)
	}
}

// reconnect makes sure that there is a connection to use.
func (l *lane) reconnect(ctx context.Context) error {
	if l.conn != nil {
		usable := false
		l.conn.Do(func() { usable = !l.conn.Leaving() })
		if usable {
			return nil
		}
		l.conn.Close()
	}
	return l.connect(ctx)
}

// failOne counts a call that failed for want of a connection, and waits a moment:
// a server that is not there is no reason to be busy.
func (l *lane) failOne(ctx context.Context, err error) {
	intended, ok := l.pace.Next()
	if !ok {
		l.exhausted = true
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(max(redialPause, intended-l.pace.Now())):
	}
	outcome := load.Outcome{Code: greet.CodeUnavailable.String(), Text: err.Error()}
	l.shard.Add(load.Completion{Intended: intended, Begun: intended, Ended: l.pace.Now(), Outcome: outcome})
}

// fly begins calls on the connection and waits until no more will end on it.
func (l *lane) fly(ctx context.Context) {
	conn := l.conn
	select {
	case <-l.idle: // of a connection before this one
	default:
	}
	conn.Do(func() {
		l.setTimeout(l.pace.Deadline())
		l.fill(l.pace.Now())
	})
	stop := context.AfterFunc(ctx, func() {
		conn.Do(func() { l.quiet = true })
		conn.Close()
	})
	<-l.idle
	if !stop() {
		conn.Close() // which the other goroutine is about to do
	}
}

// setTimeout makes the header of every call. It says the deadline, which is the
// same for all.
func (l *lane) setTimeout(timeout time.Duration) {
	if l.block == nil || l.timeout != timeout {
		l.timeout = timeout
		l.block = requestBlock(l.driver.addr, greetv1.GreetService_Greet_FullMethodName,
			h2.Field{Name: "grpc-timeout", Value: formatTimeout(timeout)})
	}
}

// fill begins calls while there is room and the pace allows it. now is the time on
// the pace's clock.
func (l *lane) fill(now time.Duration) {
	for !l.exhausted && !l.quiet && l.inFlight < l.share && l.conn.Available() > 0 {
		if !l.reserved {
			var ok bool
			if l.intended, ok = l.pace.Next(); !ok {
				l.exhausted = true
				break
			}
		}
		// Reading the clock is a few percent of a call: what is meant to begin within
		// a microsecond begins now.
		if l.intended > now+time.Microsecond {
			now = l.pace.Now()
		}
		now = max(now, min(l.intended, now+time.Microsecond))
		if l.reserved = l.intended > now; l.reserved {
			l.timer.Reset(l.intended - now)
			return
		}
		l.begin(l.intended, now)
	}
	l.land()
}

// turn returns what to do when the time of the call that is reserved has come. By
// then the lane may have gone on to another connection, with another lock.
func (l *lane) turn(conn *h2.Conn) func() {
	return func() {
		if conn.Err() == nil {
			l.fill(l.pace.Now())
		}
	}
}

// land tells drive if nothing is in flight and nothing can begin.
func (l *lane) land() {
	if l.inFlight == 0 && (l.exhausted || l.quiet || l.conn.Leaving()) {
		signal(l.idle)
	}
}

// begin begins one call.
func (l *lane) begin(intended, now time.Duration) {
	var err error
	if l.scratch, err = appendMessage(l.scratch[:0], l.driver.request); err != nil {
		l.exhausted = true // NewDriver has made sure that this does not happen
		return
	}
	s := l.conn.Open(l.block, nil, false)
	f, ok := s.State.(*flight)
	if !ok {
		f = new(flight)
		s.State = f
	}
	f.intended, f.begun, f.deadline = intended, now, l.conn.Now()+l.timeout
	s.SetDeadline(f.deadline)
	s.Write(l.scratch, true)
	l.inFlight++
}
