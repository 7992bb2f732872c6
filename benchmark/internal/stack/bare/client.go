package bare

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
)

// client is a stack.Client over one connection, which carries one call at a time;
// others wait. A call ends at its context's deadline, but not before that when the
// context is cancelled: to watch it would cost more than there is to measure.
type client struct {
	unary
	addr string

	mu     sync.Mutex
	conn   net.Conn // nil before the first call, and after one that failed
	reader *bufio.Reader
	buffer []byte
	opened int64
}

// Greet sends the name as it is, and returns what comes back as the greeting.
func (c *client) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.connect(ctx); err != nil {
		return nil, &greet.Error{Code: greet.CodeUnavailable, Message: err.Error()}
	}
	greeting, err := c.exchange(ctx, req.GetName())
	if err != nil {
		_ = c.conn.Close() // whatever comes next would be the rest of this
		c.conn = nil
		return nil, callError(err)
	}
	return &greetv1.GreetResponse{Greeting: greeting}, nil
}

func (c *client) connect(ctx context.Context) error {
	if c.conn != nil {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	c.conn, c.reader = conn, bufio.NewReader(conn)
	c.opened++
	return nil
}

func (c *client) exchange(ctx context.Context, name string) (string, error) {
	deadline, _ := ctx.Deadline() // the zero time means none
	if err := c.conn.SetDeadline(deadline); err != nil {
		return "", fmt.Errorf("set deadline: %w", err)
	}
	c.buffer = appendMessage(c.buffer[:0], name)
	if _, err := c.conn.Write(c.buffer); err != nil {
		return "", fmt.Errorf("send: %w", err)
	}
	var err error
	if c.buffer, err = readMessage(c.reader, c.buffer); err != nil {
		return "", fmt.Errorf("receive: %w", err)
	}
	return string(c.buffer), nil
}

func callError(err error) error {
	code := greet.CodeUnavailable
	if errors.Is(err, os.ErrDeadlineExceeded) {
		code = greet.CodeDeadlineExceeded
	}
	return &greet.Error{Code: code, Message: err.Error()}
}

// Connections is how many connections were opened so far.
func (c *client) Connections() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened
}

// Close ends the connection.
func (c *client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	return err
}
