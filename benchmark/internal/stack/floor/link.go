package floor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"example.com/greet/benchmark/internal/stack/floor/h2"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// link is one connection of a client, and its h2.Handler. What it holds is guarded
// by the connection's lock.
type link struct {
	conn    *h2.Conn
	addr    string
	blocks  map[string]*h2.Block // by method
	waiting []chan struct{}      // callers for whom the server has no room
}

func newLink(nc net.Conn, addr string) *link {
	l := &link{addr: addr, blocks: make(map[string]*h2.Block)}
	l.conn = h2.NewClient(nc, l)
	go func() { _ = l.conn.Run() }() // how it ended, its calls know
	return l
}

// requestBlock is the header of every call of a method over one connection.
func requestBlock(addr, method string, more ...h2.Field) *h2.Block {
	return h2.NewBlock(append([]h2.Field{
		{Name: ":method", Value: "POST"},
		{Name: ":scheme", Value: "http"},
		{Name: ":path", Value: method},
		{Name: ":authority", Value: addr},
		{Name: "content-type", Value: contentType},
		{Name: "te", Value: "trailers"},
		{Name: "user-agent", Value: "grpc-greet-floor"},
	}, more...)...)
}

// usable reports whether the connection may carry further calls.
func (l *link) usable() (ok bool) {
	l.conn.Do(func() { ok = !l.conn.Leaving() })
	return ok
}

// begin opens a call, once the server has room for one more. If there is an only
// request, it goes out with the header, and half-closes.
func (l *link) begin(ctx context.Context, method string, only []byte) (*call, error) {
	for {
		turn := make(chan struct{})
		c, err := l.open(ctx, method, only, turn)
		if err != nil || c != nil {
			return c, err
		}
		select {
		case <-turn:
		case <-ctx.Done():
			// The turn may have been this caller's: somebody else takes it.
			l.conn.Do(l.wake)
			return nil, contextError(ctx)
		}
	}
}

// open opens a call, or has turn closed when it is worth to try again.
func (l *link) open(ctx context.Context, method string, only []byte, turn chan struct{}) (c *call, err error) {
	fields, md := requestFields(ctx)
	l.conn.Do(func() {
		if l.conn.Leaving() {
			err = &greet.Error{Code: greet.CodeUnavailable, Message: fmt.Sprintf("the connection to %s has ended", l.addr)}
			return
		}
		block := l.blocks[method]
		if block == nil {
			block = requestBlock(l.addr, method)
			l.blocks[method] = block
		}
		s := l.conn.Open(block, fields, false)
		if s == nil {
			l.waiting = append(l.waiting, turn)
			return
		}
		c = newCall(ctx, l.conn, s, md)
		s.State = c
		if only != nil {
			s.Write(only, true)
		}
	})
	if c != nil {
		c.stop = context.AfterFunc(ctx, c.abandon)
	}
	return c, err
}

// requestFields are the fields that differ from call to call.
func requestFields(ctx context.Context) ([]h2.Field, *stack.Metadata) {
	var fields []h2.Field
	if deadline, ok := ctx.Deadline(); ok {
		fields = append(fields, h2.Field{Name: "grpc-timeout", Value: formatTimeout(time.Until(deadline)), Sensitive: true})
	}
	md := stack.MetadataFrom(ctx)
	if md != nil {
		fields = append(fields, metadataFields(md.RequestHeader)...)
	}
	return fields, md
}

// wake lets as many callers try again as the server has room for, or all, if it
// never will have.
func (l *link) wake() {
	n := min(len(l.waiting), max(l.conn.Available(), 0))
	if l.conn.Leaving() {
		n = len(l.waiting)
	}
	for _, turn := range l.waiting[:n] {
		close(turn)
	}
	l.waiting = l.waiting[n:]
}

// callOf returns the call on a stream, which has one from when it is opened.
func callOf(s *h2.Stream) *call {
	c, _ := s.State.(*call)
	return c
}

// Headers brings the header or the trailer of a response.
func (l *link) Headers(s *h2.Stream, h *h2.Header, end bool) { callOf(s).headers(h, end) }

// Data brings a piece of a response.
func (l *link) Data(s *h2.Stream, p []byte, _ bool) { callOf(s).data(p) }

// Writable lets a sender go on.
func (l *link) Writable(s *h2.Stream) { callOf(s).mayGoOn() }

// Expired is not used: a call's context has its deadline.
func (l *link) Expired(*h2.Stream) {}

// Closed ends a call, and gives its place to one that waits.
func (l *link) Closed(s *h2.Stream, end h2.End) {
	callOf(s).closed(end)
	l.wake()
}

// Changed lets callers try that wait for the server's settings.
func (l *link) Changed(*h2.Conn) { l.wake() }

// Ended sends waiting callers away.
func (l *link) Ended(*h2.Conn, error) { l.wake() }

// contextError is what a context that is done means to a call.
func contextError(ctx context.Context) error {
	code := greet.CodeCanceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = greet.CodeDeadlineExceeded
	}
	return &greet.Error{Code: code, Message: ctx.Err().Error(), Cause: ctx.Err()}
}
