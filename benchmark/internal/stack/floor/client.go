package floor

import (
	"context"
	"net"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// dialTimeout bounds how long a TCP connect may take.
const dialTimeout = 5 * time.Second

// client is a stack.Client over one connection at a time. It dials with the first
// call, and again when a connection has ended.
type client struct {
	addr    string
	opened  atomic.Int64
	dialing chan struct{} // a lock that a context can interrupt: full while nobody holds it
	conn    *clientConn   // guarded by dialing
	closed  bool          // guarded by dialing
}

// Dial returns a client of the gRPC server at addr. It connects with the first
// call.
func Dial(addr string, _ stack.DialOptions) (stack.Client, error) {
	c := &client{addr: addr, dialing: make(chan struct{}, 1)}
	c.dialing <- struct{}{}
	return c, nil
}

// Connections is how many connections were opened so far.
func (c *client) Connections() int64 { return c.opened.Load() }

// Close ends the connection.
func (c *client) Close() error {
	<-c.dialing
	c.closed = true
	conn := c.conn
	c.dialing <- struct{}{}
	if conn != nil {
		conn.h2conn.Close()
	}
	return nil
}

// connect returns the connection, or dials a new one if that cannot be used.
func (c *client) connect(ctx context.Context) (*clientConn, error) {
	select {
	case <-c.dialing:
	case <-ctx.Done():
		return nil, contextError(ctx)
	}
	defer func() { c.dialing <- struct{}{} }()
	if c.closed {
		return nil, &greet.Error{Code: greet.CodeCanceled, Message: "the client is closed"}
	}
	if c.conn != nil && c.conn.usable() {
		return c.conn, nil
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	nc, err := dialer.DialContext(ctx, "tcp", c.addr)
	switch {
	case ctx.Err() != nil:
		return nil, contextError(ctx)
	case err != nil:
		return nil, &greet.Error{Code: greet.CodeUnavailable, Message: err.Error(), Cause: err}
	}
	c.opened.Add(1)
	c.conn = newClientConn(nc, c.addr)
	return c.conn, nil
}

// begin opens a call of the method. If only is not nil, it is the one request.
func (c *client) begin(ctx context.Context, method string, only proto.Message) (*clientCall, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	var raw []byte
	if only != nil {
		var err error
		if raw, err = appendMessage(nil, only); err != nil {
			return nil, err
		}
	}
	conn, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	return conn.begin(ctx, method, raw)
}

// unary makes a call with one message each way.
func (c *client) unary(ctx context.Context, method string, req, res proto.Message) error {
	call, err := c.begin(ctx, method, req)
	if err != nil {
		return err
	}
	defer call.cancel()
	return call.receiveOnly(res)
}

// Greet makes a unary call.
func (c *client) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	res := new(greetv1.GreetResponse)
	if err := c.unary(ctx, greetv1.GreetService_Greet_FullMethodName, req, res); err != nil {
		return nil, err
	}
	return res, nil
}

// GreetStream makes a server streaming call.
func (c *client) GreetStream(ctx context.Context, req *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	call, err := c.begin(ctx, greetv1.GreetService_GreetStream_FullMethodName, req)
	if err != nil {
		return nil, err
	}
	return &greetStream{call}, nil
}

// GreetCount opens a client streaming call.
func (c *client) GreetCount(ctx context.Context) (stack.GreetCount, error) {
	call, err := c.begin(ctx, greetv1.GreetService_GreetCount_FullMethodName, nil)
	if err != nil {
		return nil, err
	}
	return &greetCount{call}, nil
}

// GreetChat opens a bidirectional streaming call.
func (c *client) GreetChat(ctx context.Context) (stack.GreetChat, error) {
	call, err := c.begin(ctx, greetv1.GreetService_GreetChat_FullMethodName, nil)
	if err != nil {
		return nil, err
	}
	return &greetChat{call}, nil
}
