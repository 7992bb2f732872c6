package floor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/load"
	"example.com/greet/internal/stack"
)

// Unary is what a Driver calls: Greet, with one name.
type Unary struct {
	Name string
}

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
	addr        string
	request     *greetv1.GreetRequest
	want        string // the right reply
	connections int
	opened      atomic.Int64
	lanes       []*lane
}

// NewDriver returns a driver of the server at addr, "host:port". It connects when
// it is first used, so that a server that is not there is seen as calls that fail.
func NewDriver(addr string, call Unary, connections int) (*Driver, error) {
	if connections < 1 {
		return nil, fmt.Errorf("drive %s: %d connections, want at least 1", addr, connections)
	}
	req := &greetv1.GreetRequest{Name: call.Name}
	if size := proto.Size(req); size > stack.MaxMessageBytes {
		return nil, fmt.Errorf("drive %s: %w", addr, tooLarge("send", size))
	}
	return &Driver{addr: addr, request: req, want: greet.Hello(call.Name), connections: connections}, nil
}

// Connections is how many connections were opened so far.
func (d *Driver) Connections() int64 { return d.opened.Load() }

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

// dial opens and counts a connection.
func (d *Driver) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	nc, err := dialer.DialContext(ctx, "tcp", d.addr)
	if err == nil {
		d.opened.Add(1)
	}
	return nc, err
}

// edge and largeReply say how replies are checked, as the generic driver's are: a
// large one by its length and its edges, any other in full.
const (
	edge       = 64
	largeReply = 64 << 10
)

// codeWrongReply is the code under which a wrong reply is counted.
const codeWrongReply = "wrong_reply"

var errWrong = errors.New("wrong reply")

// check compares a greeting with the right one.
func (d *Driver) check(got string) bool {
	if len(got) != len(d.want) || len(got) < largeReply {
		return got == d.want
	}
	return got[:edge] == d.want[:edge] && got[len(got)-edge:] == d.want[len(d.want)-edge:]
}

// abridged quotes the beginning of a text.
func abridged(s string) string {
	if len(s) > edge {
		return fmt.Sprintf("%q… (%d bytes)", s[:edge], len(s))
	}
	return fmt.Sprintf("%q", s)
}

// redialPause is how long a lane waits after it has failed to connect.
const redialPause = 10 * time.Millisecond
