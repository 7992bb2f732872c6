package floor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
)

// Driver is a load.Driver that calls any server of gRPC, or of Connect, over HTTP/2
// without TLS, in any of the four modes. Each connection has an event loop; a call
// has no goroutine, timer, context or lock of its own.
//
// The driver does the work of an honest client. It encodes the request header once
// per connection and then sends indexes of the HPACK table; it marshals every
// message. It does not decode a response header again that repeats byte for byte; it
// unmarshals every reply, compares it with the right one, and checks every status. On
// a stream it sends as much as flow control allows, or each message once the one
// before is answered. Each call has a deadline, which the header tells the server.
//
// The driver opens the given number of connections, and more if the server allows
// too few streams on each. They stay open from one Drive to the next. The driver
// replaces a connection that ends.
type Driver struct {
	endpoint
	connections int
	wire        loadWire
	conns       []*loadConn
	record      calls.Record
}

// NewDriver returns a driver of the server at addr, "host:port", that does the work by
// stack.GRPC or stack.Connect. It connects when it is first used, so that a server that
// is not there is seen as calls that fail.
func NewDriver(addr, protocol string, w calls.Work) (*Driver, error) {
	if w.Connections < 1 {
		return nil, fmt.Errorf("drive %s: %d connections, want at least 1", addr, w.Connections)
	}
	endpoint, err := newEndpoint(addr, w)
	if err != nil {
		return nil, err
	}
	return &Driver{endpoint: endpoint, connections: w.Connections, wire: wireOf(protocol, endpoint.work)}, nil
}

// Recording returns the driver, which notes in r what happens within the calls of its
// next Drive.
func (d *Driver) Recording(r calls.Record) load.Driver {
	d.record = r
	d.draw()
	return d
}

// Close ends the connections. No Drive may be running.
func (d *Driver) Close() error {
	for _, c := range d.conns {
		c.close()
	}
	d.conns = nil
	return nil
}

// Drive implements load.Driver. One Drive at a time may run.
func (d *Driver) Drive(ctx context.Context, concurrency int, pace *load.Pace, r *load.Recorder) {
	d.prepare(ctx, concurrency)
	shares := d.shares(concurrency)
	var running sync.WaitGroup
	for i, c := range d.conns {
		if shares[i] > 0 {
			running.Go(func() { c.drive(ctx, shares[i], pace, r.Shard()) })
		}
	}
	running.Wait()
}

// prepare opens connections until there is room for all calls. If one cannot be
// opened, it stops: drive tries again and counts failed calls.
func (d *Driver) prepare(ctx context.Context, concurrency int) {
	for room := 0; len(d.conns) < d.connections || room < concurrency; {
		if room = d.room(); len(d.conns) >= d.connections && room >= concurrency {
			return
		}
		c := &loadConn{driver: d, wire: d.wire, idle: make(chan struct{}, 1)}
		d.conns = append(d.conns, c)
		if c.connect(ctx) != nil || c.limit == 0 {
			return
		}
	}
}

// room returns how many calls the open connections may carry at once.
func (d *Driver) room() (n int) {
	for _, c := range d.conns {
		n += c.limit
	}
	return n
}

// shares divides the calls among the connections, as evenly as their limits allow.
// If the limits do not allow all, the first connection queues the rest.
func (d *Driver) shares(concurrency int) []int {
	shares := make([]int, len(d.conns))
	for left := concurrency; left > 0; {
		before := left
		for i, c := range d.conns {
			if left > 0 && (c.limit == 0 || shares[i] < c.limit) {
				shares[i]++
				left--
			}
		}
		if left == before {
			shares[0] += left
			left = 0
		}
	}
	return shares
}

// redialPause is how long a connection waits after it has failed to connect.
const redialPause = 10 * time.Millisecond
