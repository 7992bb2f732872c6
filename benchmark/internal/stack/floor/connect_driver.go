package floor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
)

// ConnectDriver is a load.Driver that makes unary calls of any server of Connect
// over HTTP/1.1 without TLS (https://connectrpc.com/docs/protocol#unary-request).
//
// HTTP/1.1 carries one call at a time on a connection, so there are as many
// connections as calls in flight, each with a goroutine that writes, waits and
// reads. They stay open from one Drive to the next. Like Driver, it encodes the
// header once, marshals each message, and unmarshals each reply and compares it with
// the right one.
type ConnectDriver struct {
	endpoint
	conns  []*connectConn // one for each call in flight
	header []byte         // of every request

	mu sync.Mutex // guards the net.Conn of each of conns, which cut closes
}

// NewConnectDriver returns a driver of the server at addr, "host:port". It connects
// when it is first used.
func NewConnectDriver(addr string, w calls.Work) (*ConnectDriver, error) {
	if w.Mode != greet.Unary {
		return nil, fmt.Errorf("drive %s: HTTP/1.1 carries unary calls alone", addr)
	}
	endpoint, err := newEndpoint(addr, w)
	if err != nil {
		return nil, err
	}
	return &ConnectDriver{endpoint: endpoint}, nil
}

// Recording returns the driver. There is nothing to note within unary calls.
func (d *ConnectDriver) Recording(calls.Record) load.Driver {
	d.draw()
	return d
}

// Close ends the connections. No Drive may be running.
func (d *ConnectDriver) Close() error {
	d.cut()
	d.conns = nil
	return nil
}

// Drive implements load.Driver. One Drive at a time may run.
func (d *ConnectDriver) Drive(ctx context.Context, concurrency int, pace *load.Pace, r *load.Recorder) {
	d.header = d.requestHeader(pace.Deadline())
	for len(d.conns) < concurrency {
		d.conns = append(d.conns, &connectConn{driver: d})
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
		return d.outcome(d.conns[worker].call(ctx))
	}).Drive(ctx, concurrency, pace, r)
}

func (d *ConnectDriver) outcome(err error) load.Outcome {
	if err != nil {
		return calls.Failed(err)
	}
	return load.Outcome{Sent: 1, Received: 1}
}

// requestHeader returns the bytes before the message.
func (d *ConnectDriver) requestHeader(timeout time.Duration) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\n"+
		"Host: %s\r\n"+
		"User-Agent: %s\r\n"+
		"Content-Type: %s\r\n"+
		"Connect-Protocol-Version: 1\r\n"+
		"Connect-Timeout-Ms: %d\r\n"+
		"Content-Length: %d\r\n\r\n",
		d.work.path, d.addr, connectAgent, connectType, connectTimeout(timeout), proto.Size(d.work.request(new(loadMessages), 0)))
}

// cut ends the connections, and with them the calls in flight.
func (d *ConnectDriver) cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.conns {
		if c.conn != nil {
			c.conn.Close()
		}
	}
}
