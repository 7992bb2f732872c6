package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// maxAnswer bounds the line that a client may answer with. A million latencies
// take some 10 MB.
const maxAnswer = 256 << 20

// Client is a running benchmark client: a process that reads requests from its standard input and
// answers each on its standard output, a line of JSON each. The caller knows what they mean.
type Client struct {
	name   string
	cmd    *exec.Cmd
	exited chan struct{} // closed once the process has ended
	err    error         // of the exit; set before exited is closed

	mu      sync.Mutex // held while a request is open
	stdin   io.WriteCloser
	answers chan []byte // closed at the end of its output
	over    func()      // ends reading: nobody will ask any more
	closing <-chan struct{}
}

// StartClient starts the client. It need not be ready: its first request waits for it. The caller
// stops it.
func StartClient(c Command) (*Client, error) {
	cmd, stdin, stdout, err := c.prepare()
	if err != nil {
		return nil, fmt.Errorf("start client %s: %w", c.Name, err)
	}
	if err := onCPUs(c.CPUs, cmd.Start); err != nil {
		return nil, fmt.Errorf("start client %s: %w", c.Name, err)
	}
	closing, over := context.WithCancel(context.Background())
	client := &Client{
		name: c.Name, cmd: cmd, exited: make(chan struct{}),
		stdin: stdin, answers: make(chan []byte), over: over, closing: closing.Done(),
	}
	go client.read(stdout)
	return client, nil
}

// read passes on the client's lines until its output ends. A line that is too long ends the
// process.
func (c *Client) read(stdout io.Reader) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		select {
		case c.answers <- bytes.Clone(lines.Bytes()):
		case <-c.closing:
		}
	}
	close(c.answers)
	if lines.Err() != nil {
		c.kill()
	}
	c.err = c.cmd.Wait()
	close(c.exited)
}

// PID is the process's id.
func (c *Client) PID() int { return c.cmd.Process.Pid }

// Ask sends one request and reads the reply, both as JSON. It kills a client that does not answer
// within patience, or whose answer does not fit into reply: a late answer would count as that to
// the next request. Requests wait for each other. If ctx ends first, the client is killed too, and
// the error is that of ctx.
func (c *Client) Ask(ctx context.Context, request, reply any, patience time.Duration) error {
	line, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("ask client %s: %w", c.name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, err := c.exchange(ctx, append(line, '\n'), patience)
	if err == nil {
		err = json.Unmarshal(answer, reply)
	}
	if err == nil {
		return nil
	}
	c.kill()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("ask client %s: %w", c.name, err)
}

func (c *Client) exchange(ctx context.Context, request []byte, patience time.Duration) ([]byte, error) {
	select {
	case answer, open := <-c.answers:
		if open {
			return nil, fmt.Errorf("it printed %.40q when nobody asked", answer)
		}
	default:
	}
	// A line fits into the pipe, so that this does not block on a client that hangs.
	if _, err := c.stdin.Write(request); err != nil {
		return nil, c.gone()
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case answer, ok := <-c.answers:
		if !ok {
			return nil, c.gone()
		}
		return answer, nil
	case <-timer.C:
		return nil, fmt.Errorf("no answer within %v", patience)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// gone returns an error that says how the process ended.
func (c *Client) gone() error {
	select {
	case <-c.exited:
		return fmt.Errorf("it has ended: %s", c.cmd.ProcessState)
	case <-time.After(time.Second):
		return errors.New("it has closed its standard input or output")
	}
}

// Stop ends the client by the end of its standard input, and kills it if it has not
// gone within patience. It returns an error if it had to be killed or did not exit
// with 0, and waits for a request that is open.
func (c *Client) Stop(patience time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over()
	_ = c.stdin.Close()
	select {
	case <-c.exited:
	case <-time.After(patience):
		c.kill()
		<-c.exited
		return fmt.Errorf("stop client %s: killed, since it did not exit within %v of the end of its input", c.name, patience)
	}
	if c.err != nil {
		return fmt.Errorf("stop client %s: %w", c.name, c.err)
	}
	return nil
}

// kill ends the process and whatever it started.
func (c *Client) kill() {
	c.over()
	killGroup(c.cmd.Process)
}
