package floor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/greet/benchmark/internal/load"
)

// Driver is a load.Driver that makes unary calls of any gRPC server over HTTP/2
// without TLS. It is an event loop per connection: no goroutine, timer, context or
// lock belongs to a call.
//
// It is an honest client all the same. Of what goes out, the header is encoded
// once per connection and sent as indexes of the HPACK table, which is what that
// table is for; the message is marshalled by protobuf for every call. Of what
// comes in, a header that repeats byte for byte is not decoded again; each message
// is unmarshalled by protobuf and compared with the right one, and each status is
// looked at. Each call has a deadline, which the server is told.
//
// It opens the connections that it was asked for, and more if the server allows
// too few streams on each for all calls to be in flight; they stay open from one
// Drive to the next. A connection that ends is replaced.
type Driver struct {
	asked
	connections int
	lanes       []*lane
}

// NewDriver returns a driver of the server at addr, "host:port". It connects when
// it is first used, so that a server that is not there is seen as calls that fail.
func NewDriver(addr string, call Unary, connections int) (*Driver, error) {
	if connections < 1 {
		return nil, fmt.Errorf("drive %s: %d connections, want at least 1", addr, connections)
	}
	asked, err := ask(addr, call)
	if err != nil {
		return nil, err
	}
	return &Driver{asked: asked, connections: connections}, nil
}

// Close ends the connections. No Drive may be running.
func (d *Driver) Close() error {
	for _, l := range d.lanes {
		l.close()
	}
	d.lanes = nil
	return nil
}

// Drive implements load.Driver. One Drive at a time may run.
func (d *Driver) Drive(ctx context.Context, concurrency int, pace *load.Pace, r *load.Recorder) {
	d.prepare(ctx, concurrency)
	shares := d.shares(concurrency)
	var lanes sync.WaitGroup
	for i, l := range d.lanes {
		if shares[i] > 0 {
			lanes.Go(func() { l.drive(ctx, shares[i], pace, r.Shard()) })
		}
	}
	lanes.Wait()
}

// prepare connects. What fails to is left to drive, which has calls fail by it.
func (d *Driver) prepare(ctx context.Context, concurrency int) {
	for room := 0; len(d.lanes) < d.connections || room < concurrency; {
		if room = d.room(); len(d.lanes) >= d.connections && room >= concurrency {
			return
		}
		l := &lane{driver: d, idle: make(chan struct{}, 1)}
		d.lanes = append(d.lanes, l)
		if l.connect(ctx) != nil || l.limit == 0 {
			return
		}
	}
}

// room is how many calls the server lets the connections carry.
func (d *Driver) room() (n int) {
	for _, l := range d.lanes {
		n += l.limit
	}
	return n
}

// shares says how many calls each lane keeps in flight: as evenly as their limits
// allow. If they do not allow all, each lane queues what is too much for it.
func (d *Driver) shares(concurrency int) []int {
	shares := make([]int, len(d.lanes))
	for left := concurrency; left > 0; {
		before := left
		for i, l := range d.lanes {
			if left > 0 && (l.limit == 0 || shares[i] < l.limit) {
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

// redialPause is how long a lane waits after it has failed to connect.
const redialPause = 10 * time.Millisecond
