package bare

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
)

// client is a stack.Client with one connection for each mode. Calls in flight at once
// share it: each sends when the one before has sent, and receives when the one before has
// received. A call ends at its context's deadline; before that, when the context is
// cancelled, a chat does, and no other: to watch it would cost more than there is to
// measure.
type client struct {
	addr string

	mu     sync.Mutex           // guards the rest
	lines  map[greet.Mode]*line // none where there was no call yet, or the last has failed
	opened int64
}

func newClient(addr string) *client { return &client{addr: addr, lines: make(map[greet.Mode]*line)} }

// line returns the connection for calls of the mode.
func (c *client) line(ctx context.Context, m greet.Mode) (*line, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lines[m]; l != nil {
		return l, nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return nil, callError(fmt.Errorf("connect: %w", err))
	}
	c.opened++
	c.lines[m] = newLine(conn, modes[m])
	return c.lines[m], nil
}

// drop has later calls of the mode use another connection: what comes next on this one
// would be the rest of a call that has failed.
func (c *client) drop(m greet.Mode, l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = l.conn.Close()
	if c.lines[m] == l {
		delete(c.lines, m)
	}
}

// Greet sends the name as it is, and returns what comes back as the greeting.
func (c *client) Greet(ctx context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	t, err := c.begin(ctx, greet.Unary)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := t.send(func(b []byte) []byte { return appendMessage(b, req.GetName()) }); err != nil {
		return nil, err
	}
	t.sent()
	greeting, err := t.receive(true)
	if err != nil {
		return nil, err
	}
	return &greetv1.GreetResponse{Greeting: string(greeting)}, nil
}

func callError(err error) error {
	code := greet.CodeUnavailable
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
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

// Close ends the connections.
func (c *client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, l := range c.lines {
		errs = append(errs, l.conn.Close())
	}
	clear(c.lines)
	return errors.Join(errs...)
}
