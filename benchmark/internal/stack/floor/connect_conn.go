package floor

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/stack/floor/h1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2/socket"
	"example.com/greet/internal/stack"
)

// connectConn makes one call after another over one connection. When that ends, it
// opens another. One goroutine uses it.
type connectConn struct {
	driver *ConnectDriver
	conn   net.Conn // nil if there is none; guarded by the driver's lock
	socket socket.Socket
	reader *h1.Reader

	work     *loadWork // of the call
	deadline time.Time // of the call
	armed    time.Time // when reading from conn times out; at or before deadline
	request  []byte
	messages loadMessages
}

// call makes one call. It closes the connection after an error that may leave the rest
// of a response on it.
func (c *connectConn) call(ctx context.Context) error {
	c.deadline, _ = ctx.Deadline()
	c.work = c.driver.variant()
	head, body, err := c.roundTrip(ctx)
	if err != nil {
		c.hangUp()
		if !time.Now().Before(c.deadline) {
			<-ctx.Done() // load looks at ctx to tell the call's deadline from the run's end
		}
		return connectionError(err)
	}
	err = c.judge(head, body)
	if head.Close || c.reader.Ahead() {
		c.hangUp()
	}
	return err
}

// roundTrip sends the request and reads the response.
func (c *connectConn) roundTrip(ctx context.Context) (*h1.Head, []byte, error) {
	if c.conn == nil {
		if err := c.connect(ctx); err != nil {
			return nil, nil, err
		}
	}
	if c.armed.IsZero() || c.deadline.Before(c.armed) {
		c.arm()
	}
	if err := c.send(); err != nil {
		return nil, nil, err
	}
	return c.reader.Next()
}

// judge returns how the call ended.
func (c *connectConn) judge(h *h1.Head, body []byte) error {
	said := connectHead{status: h.Status, contentType: h.Type, coding: h.Coding}
	if err := connectError(said, body); err != nil {
		return err
	}
	return c.work.check(&c.messages, body, 0)
}

// connect dials. If that fails it waits a moment, so that it does not spin while the
// server is away.
func (c *connectConn) connect(ctx context.Context) error {
	conn, err := c.driver.dial(ctx)
	if err != nil {
		time.Sleep(redialPause)
		return err
	}
	c.setConn(conn)
	c.socket = socket.New(conn)
	c.reader = h1.NewReader(c.read, stack.MaxMessageBytes)
	c.armed = time.Time{}
	return ctx.Err() // ctx may have ended before cut saw the connection
}

func (c *connectConn) setConn(conn net.Conn) {
	c.driver.mu.Lock()
	defer c.driver.mu.Unlock()
	c.conn = conn
}

func (c *connectConn) hangUp() {
	if c.conn != nil {
		c.conn.Close()
		c.setConn(nil)
	}
}

// send writes the request. Most requests go out at once; one that is too large for
// the socket's buffer waits for the server to read.
func (c *connectConn) send() error {
	request, err := proto.MarshalOptions{}.MarshalAppend(append(c.request[:0], c.driver.header...), c.work.request(&c.messages, 0))
	if err != nil {
		return err
	}
	c.request = request
	n, err := c.socket.TryWrite(request)
	if err != nil || n == len(request) {
		return err
	}
	if err := c.conn.SetWriteDeadline(c.deadline); err != nil {
		return err
	}
	_, err = c.conn.Write(request[n:])
	return err
}

// arm sets the read deadline. Setting it for each call takes a few percent of a
// call's time, so an earlier call's deadline stays, and read sets a new one when it
// fires. Setting it fails only on a closed connection.
func (c *connectConn) arm() {
	c.armed = c.deadline
	_ = c.conn.SetReadDeadline(c.deadline)
}

// read reads until the call's deadline.
func (c *connectConn) read(p []byte) (int, error) {
	n, err := c.socket.Read(p)
	for errors.Is(err, os.ErrDeadlineExceeded) && c.armed.Before(c.deadline) {
		c.arm()
		n, err = c.socket.Read(p)
	}
	return n, err
}

// connectionError returns the error of a call that got no response.
func connectionError(err error) error {
	e := &greet.Error{Code: greet.CodeUnavailable, Message: err.Error(), Cause: err}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = greet.CodeDeadlineExceeded, "the call's deadline has passed"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Message = "the connection was lost"
	case errors.Is(err, h1.ErrTooLarge):
		e.Code = greet.CodeResourceExhausted
	case errors.Is(err, h1.ErrMalformed):
		e.Code = greet.CodeInternal
	}
	return e
}
