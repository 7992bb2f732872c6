package floor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
	"example.com/greet/internal/stack"
)

// clientConn is one connection of a client, and its h2.Handler. The connection's
// lock guards its fields.
type clientConn struct {
	h2conn  *h2.Conn
	addr    string
	blocks  map[string]*h2.Block // by method
	waiting []chan struct{}      // callers that wait for the server to allow another stream
}

func newClientConn(nc net.Conn, addr string) *clientConn {
	c := &clientConn{addr: addr, blocks: make(map[string]*h2.Block)}
	c.h2conn = h2.NewClient(nc, c)
	go func() { _ = c.h2conn.Run() }() // the error reaches each call
	return c
}

// requestBlock is the header of every call of a method over one connection.
func requestBlock(addr, path string, fields ...h2.Field) *h2.Block {
	return h2.NewBlock(append([]h2.Field{
		{Name: ":method", Value: "POST"},
		{Name: ":scheme", Value: "http"},
		{Name: ":path", Value: path},
		{Name: ":authority", Value: addr},
	}, fields...)...)
}

// grpcFields are those of each gRPC request. Appending to them copies them.
var grpcFields = slices.Clip([]h2.Field{
	{Name: "content-type", Value: contentType},
	{Name: "te", Value: "trailers"},
	{Name: "user-agent", Value: "grpc-greet-floor"},
})

// usable reports whether the connection takes further calls.
func (c *clientConn) usable() (ok bool) {
	c.h2conn.Do(func() { ok = !c.h2conn.Leaving() })
	return ok
}

// begin opens a call as soon as the server has room for one more. If only is not nil,
// it is the call's one request: begin sends it and half-closes.
func (c *clientConn) begin(ctx context.Context, method string, only []byte) (*clientCall, error) {
	for {
		turn := make(chan struct{})
		call, err := c.open(ctx, method, only, turn)
		if err != nil || call != nil {
			return call, err
		}
		select {
		case <-turn:
		case <-ctx.Done():
			// This caller may have just been woken: it passes its turn on.
			c.h2conn.Do(c.wake)
			return nil, contextError(ctx)
		}
	}
}

// open opens a call. If the server has no room, it returns nil and later closes turn.
func (c *clientConn) open(ctx context.Context, method string, only []byte, turn chan struct{}) (call *clientCall, err error) {
	fields, md := requestFields(ctx)
	c.h2conn.Do(func() {
		if c.h2conn.Leaving() {
			err = &greet.Error{Code: greet.CodeUnavailable, Message: fmt.Sprintf("the connection to %s has ended", c.addr)}
			return
		}
		block := c.blocks[method]
		if block == nil {
			block = requestBlock(c.addr, method, grpcFields...)
			c.blocks[method] = block
		}
		s := c.h2conn.Open(block, fields, false)
		if s == nil {
			c.waiting = append(c.waiting, turn)
			return
		}
		call = newClientCall(ctx, c.h2conn, s, md)
		s.State = call
		if only != nil {
			writeOwn(s, only, true)
		}
	})
	if call != nil {
		call.stop = context.AfterFunc(ctx, call.abandon)
	}
	return call, err
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

// wake lets as many callers try again as the server has room for. It wakes all of
// them if the connection takes no more calls.
func (c *clientConn) wake() {
	n := min(len(c.waiting), max(c.h2conn.Available(), 0))
	if c.h2conn.Leaving() {
		n = len(c.waiting)
	}
	for _, turn := range c.waiting[:n] {
		close(turn)
	}
	c.waiting = c.waiting[n:]
}

// clientCallOf returns the call on a stream. Every stream has one from its opening.
func clientCallOf(s *h2.Stream) *clientCall {
	c, _ := s.State.(*clientCall)
	return c
}

// Headers brings the header or the trailer of a response.
func (c *clientConn) Headers(s *h2.Stream, h *h2.Header, end bool) { clientCallOf(s).headers(h, end) }

// Data brings a piece of a response.
func (c *clientConn) Data(s *h2.Stream, p []byte, _ bool) { clientCallOf(s).data(p) }

// Writable lets a sender go on.
func (c *clientConn) Writable(s *h2.Stream) { clientCallOf(s).writable() }

// Expired is not used: a call's context has its deadline.
func (c *clientConn) Expired(*h2.Stream) {}

// Closed ends a call and gives its place to a caller that waits.
func (c *clientConn) Closed(s *h2.Stream, end h2.End) {
	clientCallOf(s).closed(end)
	c.wake()
}

// Changed wakes callers that wait for the server's settings.
func (c *clientConn) Changed(*h2.Conn) { c.wake() }

// Ended wakes all waiting callers, which then fail.
func (c *clientConn) Ended(*h2.Conn, error) { c.wake() }

// contextError returns the error of a call whose context is done.
func contextError(ctx context.Context) error {
	code := greet.CodeCanceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = greet.CodeDeadlineExceeded
	}
	return &greet.Error{Code: code, Message: ctx.Err().Error(), Cause: ctx.Err()}
}
