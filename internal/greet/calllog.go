package greet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Metadata keys that a server with a CallLog understands. With them a client tries out headers and
// trailers, and asks what the server saw of a call that the client gave up.
const (
	HeaderEcho    = "greet-echo"         // request header, sent back as response header
	TrailerEcho   = "greet-echo-trailer" // and, under this key, as trailer
	HeaderCallID  = "greet-call-id"      // request header: the client's name for this call
	HeaderWarning = "greet-warning"      // response header: what of the request was ignored, though allowed
	HeaderSaw     = "greet-saw"          // request header: the name of an earlier call; response header: how the server saw it end
)

// callLogSize bounds how many named calls are remembered; the oldest go first.
const callLogSize = 1024

// sawPatience is how long a client that asks about a call waits for it to end:
// a cancellation takes a moment to arrive.
const sawPatience = time.Second

// CallLog logs each call of a server as it ends. It remembers how the calls ended that the client
// had named. It is safe for concurrent use.
type CallLog struct {
	log   *slog.Logger
	mu    sync.Mutex
	named map[string]*Call
	order []string // names, oldest first
}

// NewCallLog returns a log that writes to log at level debug.
func NewCallLog(log *slog.Logger) *CallLog {
	return &CallLog{log: log, named: make(map[string]*Call)}
}

// Call is one call that a server is serving. One goroutine may count received
// messages while another counts sent ones.
type Call struct {
	log            *CallLog
	procedure      string
	id             string
	begun          time.Time
	received, sent atomic.Int64
	ended          chan struct{}
	err            error // set before ended is closed
}

// Begin notes that a call to procedure has come; id is the client's name for it,
// or empty. The caller ends it with End.
func (l *CallLog) Begin(procedure, id string) *Call {
	c := &Call{log: l, procedure: procedure, id: id, begun: time.Now(), ended: make(chan struct{})}
	if id == "" {
		return c
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.named[id]; !known {
		l.order = append(l.order, id)
	}
	l.named[id] = c
	if len(l.order) > callLogSize {
		delete(l.named, l.order[0])
		l.order = l.order[1:]
	}
	return c
}

// Received counts one message from the client.
func (c *Call) Received() { c.received.Add(1) }

// Sent counts one message to the client.
func (c *Call) Sent() { c.sent.Add(1) }

// End notes how the call ended; err is what its handler returned.
func (c *Call) End(err error) {
	c.err = err
	close(c.ended)
	c.log.log.Debug("call ended", "procedure", c.procedure, "id", c.id, "code", c.code(),
		"received", c.received.Load(), "sent", c.sent.Load(), "took", time.Since(c.begun))
}

// Saw says how the call named id ended on the server. It waits a moment for that to happen.
func (l *CallLog) Saw(ctx context.Context, id string) string {
	l.mu.Lock()
	c := l.named[id]
	l.mu.Unlock()
	if c == nil {
		return "no such call"
	}
	select {
	case <-c.ended:
		return fmt.Sprintf("%s after receiving %d and sending %d messages", c.code(), c.received.Load(), c.sent.Load())
	case <-time.After(sawPatience):
		return "still running"
	case <-ctx.Done():
		return "still running"
	}
}

// code says how the call ended. Libraries report an ended context in their own ways, so the error
// of the context itself counts.
func (c *Call) code() Code {
	switch {
	case errors.Is(c.err, context.Canceled):
		return CodeCanceled
	case errors.Is(c.err, context.DeadlineExceeded):
		return CodeDeadlineExceeded
	}
	return CodeOf(c.err)
}
