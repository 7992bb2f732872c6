package floor

import (
	"context"
	"errors"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/h2"
)

// demoCall is what a server with a stack.Demo keeps of a call. Calls of other servers
// have a nil demoCall, whose methods do nothing.
type demoCall struct {
	call  *greet.Call
	echo  []string
	saw   []h2.Field
	ended bool
}

// beginDemo notes the call in the log. A client may ask what the server saw of another
// call; the input of its call is held until the answer is known.
func (c *serverCall) beginDemo(h *h2.Header) {
	calls := c.conn.options.Demo.Calls
	d := &demoCall{call: calls.Begin(c.req.path, h.Get(greet.HeaderCallID))}
	c.demo = d
	for _, f := range h.Fields {
		if f.Name == greet.HeaderEcho {
			d.echo = append(d.echo, f.Value)
		}
	}
	id := h.Get(greet.HeaderSaw)
	if id == "" {
		return
	}
	c.halted = true
	h2conn := c.conn.h2conn
	go func() {
		saw := calls.Saw(context.Background(), id)
		h2conn.Do(func() {
			if c.demo != d {
				return // the call has ended, and another may use its stream
			}
			d.saw = []h2.Field{{Name: greet.HeaderSaw, Value: saw, Sensitive: true}}
			c.resume()
		})
	}()
}

// header returns the fields that the demo adds to the response's header.
func (d *demoCall) header() []h2.Field {
	if d == nil {
		return nil
	}
	return append(echoed(greet.HeaderEcho, d.echo), d.saw...)
}

// trailer returns the fields that the demo adds to the trailer.
func (d *demoCall) trailer() []h2.Field {
	if d == nil {
		return nil
	}
	return echoed(greet.TrailerEcho, d.echo)
}

func echoed(name string, values []string) []h2.Field {
	var fields []h2.Field
	for _, value := range values {
		fields = append(fields, h2.Field{Name: name, Value: value, Sensitive: true})
	}
	return fields
}

// end notes how the call ended. Only the first call counts.
func (d *demoCall) end(err error) {
	if d == nil || d.ended {
		return
	}
	d.ended = true
	d.call.End(err)
}

// endCause returns the error of a call whose stream ended early.
func endCause(end h2.End) error {
	if end.By == h2.Peer && end.Code == h2.Cancel {
		return context.Canceled
	}
	return errors.New("the stream ended early: " + end.Code.String())
}
