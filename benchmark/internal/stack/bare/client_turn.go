package bare

import (
	"context"
	"net"
	"net/textproto"
	"sync"
	"time"

	"example.com/greet/internal/greet"
)

// line is a connection on which calls follow each other.
type line struct {
	conn  net.Conn
	order textproto.Pipeline
	in    *reader // of the call whose turn it is to receive
	out   []byte  // of the call whose turn it is to send; before the first it holds the mode
}

func newLine(conn net.Conn, mode byte) *line {
	return &line{conn: conn, in: newReader(conn.Read), out: []byte{mode}}
}

// turn is one call's on a line. It sends in its turn, and receives in its turn; one
// goroutine may send while another receives.
type turn struct {
	client   *client
	mode     greet.Mode
	line     *line
	id       uint
	deadline time.Time

	sendOnce, startOnce, endOnce sync.Once

	over bool // all has been received
}

// begin begins a call, and returns when it is its turn to send.
func (c *client) begin(ctx context.Context, m greet.Mode) (*turn, error) {
	l, err := c.line(ctx, m)
	if err != nil {
		return nil, err
	}
	t := &turn{client: c, mode: m, line: l, id: l.order.Next()}
	t.deadline, _ = ctx.Deadline() // the zero time means none
	l.order.StartRequest(t.id)
	_ = l.conn.SetWriteDeadline(t.deadline) // which fails only if writing does
	return t, nil
}

// send sends what the function appends.
func (t *turn) send(add func([]byte) []byte) error {
	l := t.line
	l.out = add(l.out)
	_, err := l.conn.Write(l.out)
	l.out = l.out[:0]
	if err != nil {
		t.client.drop(t.mode, l)
		return callError(err)
	}
	return nil
}

// sent lets the next call send.
func (t *turn) sent() { t.sendOnce.Do(func() { t.line.order.EndRequest(t.id) }) }

// receive returns the next message, which is valid until the next call. The last one is
// the end of the call's turn.
func (t *turn) receive(last bool) ([]byte, error) {
	t.start()
	message, err := t.line.in.await()
	if err != nil {
		t.client.drop(t.mode, t.line)
		return nil, callError(err)
	}
	t.over = last
	return message, nil
}

// start waits for the call's turn to receive.
func (t *turn) start() {
	t.startOnce.Do(func() {
		t.line.order.StartResponse(t.id)
		_ = t.line.conn.SetReadDeadline(t.deadline) // which fails only if reading does
	})
}

// close ends the call, and with it the connection if the call is not over.
func (t *turn) close() {
	if !t.over {
		t.client.drop(t.mode, t.line)
	}
	t.sent()
	t.endOnce.Do(func() {
		t.start()
		t.line.order.EndResponse(t.id)
	})
}
