package floor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/load"
	greetv1 "example.com/greet/gen/greet/v1"
)

// ConnectDriver is a load.Driver that makes unary calls of any server of Connect
// over HTTP/1.1 without TLS (https://connectrpc.com/docs/protocol#unary-request).
//
// HTTP/1.1 carries one call at a time on a connection, so that there are as many
// connections as calls in flight, each with a goroutine that writes, waits and
// reads; the runtime's poller is the event loop. They stay open from one Drive to
// the next. As with Driver, the header is encoded once, each message is marshalled,
// and each reply is unmarshalled and compared with the right one.
type ConnectDriver struct {
	asked
	callers []*connectCaller // one for each call in flight
	header  []byte           // of every request

	mu sync.Mutex // guards the conn of each caller, which cut closes
}

// NewConnectDriver returns a driver of the server at addr, "host:port". It connects
// when it is first used.
func NewConnectDriver(addr string, call Unary) (*ConnectDriver, error) {
	asked, err := ask(addr, call)
	if err != nil {
		return nil, err
	}
	return &ConnectDriver{asked: asked}, nil
}

// Close ends the connections. No Drive may be running.
func (d *ConnectDriver) Close() error {
	d.cut()
	d.callers = nil
	return nil
}

// Drive implements load.Driver. One Drive at a time may run.
func (d *ConnectDriver) Drive(ctx context.Context, concurrency int, pace *load.Pace, r *load.Recorder) {
	d.header = d.requestHeader(pace.Deadline())
	for len(d.callers) < concurrency {
		d.callers = append(d.callers, &connectCaller{driver: d})
	}
	cut := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(cut)
		d.cut()
	})
	defer func() {
		if !stop() {
			<-cut
		}
	}()
	load.Call(func(ctx context.Context, worker int) load.Outcome {
		return outcome(d.callers[worker].call(ctx))
	}).Drive(ctx, concurrency, pace, r)
}

// requestHeader is all that goes before the message.
func (d *ConnectDriver) requestHeader(timeout time.Duration) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\n"+
		"Host: %s\r\n"+
		"User-Agent: connect-greet-floor\r\n"+
		"Content-Type: %s\r\n"+
		"Connect-Protocol-Version: 1\r\n"+
		"Connect-Timeout-Ms: %d\r\n"+
		"Content-Length: %d\r\n\r\n",
		greetv1.GreetService_Greet_FullMethodName, d.addr, connectType, max(1, timeout.Milliseconds()), proto.Size(d.request))
}

// cut ends the connections, and with them the calls in flight.
func (d *ConnectDriver) cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.callers {
		if c.conn != nil {
			c.conn.Close()
		}
	}
}
