package peer

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

const (
	// answerPatience is how long a client may take for a slice in addition to its window and the
	// deadline of the last calls. It includes the warm-up, and for the first slice the start.
	answerPatience = time.Minute
	// stopPatience is how long a client may take to end when it has nothing to do.
	stopPatience = 10 * time.Second
)

// Client is a calls.Caller that uses a peer's benchmark client. It starts one process for each
// server, with the first call, since a run may have many clients that no case needs.
type Client struct {
	name string
	of   stack.Stack
	argv []string
	dir  string

	mu      sync.Mutex
	running map[string]asker // by the address that it calls
}

// asker is a running process that answers requests.
type asker interface {
	Ask(ctx context.Context, request, reply any, patience time.Duration) error
	PID() int
	Stop(patience time.Duration) error
}

// NewClient returns the client of a stack of a peer, which is started by argv in the
// directory. The caller closes it.
func NewClient(name string, of stack.Stack, argv []string, dir string) *Client {
	return &Client{name: name, of: of, argv: argv, dir: dir, running: make(map[string]asker)}
}

// Name implements calls.Caller.
func (c *Client) Name() string { return c.name }

// Language implements calls.Caller.
func (c *Client) Language() string { return c.of.Language }

// Refuses implements calls.Caller.
func (c *Client) Refuses(s stack.Stack, m greet.Mode) string {
	if s.Name.Protocol != c.of.Name.Protocol || s.Name.Transport != c.of.Name.Transport {
		return "it speaks " + c.of.Name.Protocol + " over " + c.of.Name.Transport
	}
	return c.of.Refuses[m]
}

// Process implements calls.Caller.
func (c *Client) Process(s calls.Server) int {
	running, err := c.start(s)
	if err != nil {
		return 0
	}
	return running.PID()
}

// Ask implements calls.Asker.
func (c *Client) Ask(ctx context.Context, s calls.Server, request, reply any, patience time.Duration) error {
	running, err := c.start(s)
	if err != nil {
		return err
	}
	return running.Ask(ctx, request, reply, patience)
}

// start starts the process that calls the server, unless it runs already. It runs on the CPUs of
// this process, which is otherwise the client.
func (c *Client) start(s calls.Server) (asker, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if running := c.running[s.Addr]; running != nil {
		return running, nil
	}
	n := s.Stack.Name
	started, err := process.StartClient(process.Command{
		Name: c.name + " of " + n.String(), Argv: c.argv, Dir: c.dir, Log: s.Log,
		Fill: process.Fill{Addr: s.Addr, Protocol: n.Protocol, Transport: n.Transport, Cert: s.Cert},
	})
	if err != nil {
		return nil, err
	}
	c.running[s.Addr] = started
	return started, nil
}

// Close ends the processes. No request may be open.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for addr, running := range c.running {
		errs = append(errs, running.Stop(stopPatience))
		delete(c.running, addr)
	}
	return errors.Join(errs...)
}

// Open implements calls.Caller.
func (c *Client) Open(s calls.Server, w calls.Work) (calls.Session, error) {
	return &session{client: c, server: s, work: w}, nil
}

// session implements calls.Session. Its connections last as long as one request.
type session struct {
	client *Client
	server calls.Server
	work   calls.Work
	opened int64
}

// Run implements calls.Session: the client makes the warm-up and the window by itself.
// A failure of the client is counted among the errors of the slice.
func (s *session) Run(ctx context.Context, p load.Plan, _ calls.Record) (load.Tally, error) {
	r := newRequest(s.work, p)
	var answer reply
	err := s.client.Ask(ctx, s.server, r, &answer, answerPatience+p.Window+p.Deadline)
	if ctx.Err() != nil {
		return load.Tally{}, load.ErrInterrupted
	}
	if err == nil {
		err = answer.check(r)
	}
	if err != nil {
		return calls.ClientFailed(err), nil
	}
	s.opened += answer.Opened
	return answer.tally(p), nil
}

// Connections implements calls.Session.
func (s *session) Connections() int64 { return s.opened }

// Close implements calls.Session.
func (s *session) Close() error { return nil }

var (
	_ calls.Asker = (*Client)(nil)
	_ io.Closer   = (*Client)(nil)
)
