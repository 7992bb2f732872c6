package bare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/stack"
)

// Driver is a load.Driver of this package's server. Each connection has an event loop,
// on which calls follow each other; a call has no goroutine of its own.
//
// It sends requests that were made beforehand, and compares every byte of the replies
// with the right ones. A call that does not end by its deadline ends its connection, and
// with it the calls that wait behind it.
type Driver struct {
	addr     string
	work     calls.Work
	variants []*loadWork // of which each call does one
	conns    []*loadConn
	record   calls.Record
	opened   atomic.Int64
}

// NewDriver returns a driver of the server at addr, "host:port". It connects when it is
// first used, so that a server that is not there is seen as calls that fail.
func NewDriver(addr string, w calls.Work) (*Driver, error) {
	switch {
	case w.Connections < 1:
		return nil, fmt.Errorf("drive %s: %d connections, want at least 1", addr, w.Connections)
	case w.Refused || w.Headers > 0:
		return nil, fmt.Errorf("drive %s: bytes have neither headers nor refusals", addr)
	case w.Payload > stack.MaxMessageBytes-largestAround:
		return nil, fmt.Errorf("drive %s: a name of %d bytes, want at most %d", addr, w.Payload, stack.MaxMessageBytes-largestAround)
	}
	d := &Driver{addr: addr, work: w}
	for range w.Connections {
		d.conns = append(d.conns, &loadConn{driver: d})
	}
	d.draw()
	return d, nil
}

// draw makes the variants anew.
func (d *Driver) draw() {
	d.variants = nil
	for _, variant := range d.work.Variants() {
		d.variants = append(d.variants, newLoadWork(variant))
	}
}

// variant chooses one by chance.
func (d *Driver) variant() *loadWork { return d.variants[rand.IntN(len(d.variants))] }

// Recording returns the driver, which notes in r what happens within the calls of its
// next Drive.
func (d *Driver) Recording(r calls.Record) load.Driver {
	d.record = r
	d.draw()
	return d
}

// Connections is how many connections were opened so far.
func (d *Driver) Connections() int64 { return d.opened.Load() }

// Close ends the connections. No Drive may be running.
func (d *Driver) Close() error {
	for _, c := range d.conns {
		c.close()
	}
	return nil
}

// Drive implements load.Driver. One Drive at a time may run.
func (d *Driver) Drive(ctx context.Context, concurrency int, pace *load.Pace, r *load.Recorder) {
	var running sync.WaitGroup
	for i, c := range d.conns {
		share := (concurrency + i) / len(d.conns) // the shares differ by at most one
		if share > 0 {
			running.Go(func() { c.drive(ctx, share, pace, r.Shard()) })
		}
	}
	running.Wait()
}

// dial opens and counts a connection.
func (d *Driver) dial(ctx context.Context) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", d.addr)
	if err == nil {
		d.opened.Add(1)
	}
	return conn, err
}

// redialPause is how long a connection waits after it has failed to connect, so that it
// does not spin while the server is away.
const redialPause = 10 * time.Millisecond
