package floor

import (
	"context"
	"errors"

	"example.com/greet/benchmark/internal/stack/floor/h2"
	"example.com/greet/internal/greet"
)

// demoCall is what a server with a stack.Demo keeps of a call beside serving it.
// Its methods do nothing on a nil demoCall, which is what a call has otherwise.
type demoCall struct {
	call  *greet.Call
	echo  []string
	saw   []h2.Field
	ended bool
}

// beginDemo notes the call in the log. A call that asks what the server saw of
// another waits for the answer: its input is held meanwhile.
func (x *exchange) beginDemo(h *h2.Header) {
	calls := x.peer.options.Demo.Calls
	d := &demoCall{call: calls.Begin(x.req.path, h.Get(greet.HeaderCallID))}
	x.demo = d
	for _, f := range h.Fields {
		if f.Name == greet.HeaderEcho {
			d.echo = append(d.echo, f.Value)
		}
	}
	asked := h.Get(greet.HeaderSaw)
	if asked == "" {
		return
	}
	x.halted = true
	conn := x.peer.conn
	go func() {
		saw := calls.Saw(context.Background(), asked)
		conn.Do(func() {
			if x.demo != d {
				return // the call has ended, and another may have its place
			}
			d.saw = []h2.Field{{Name: greet.HeaderSaw, Value: saw, Sensitive: true}}
			x.resume()
		})
	}()
}

// header is what the demo adds to the response's header.
func (d *demoCall) header() []h2.Field {
	if d == nil {
		return nil
	}
	return append(echoed(greet.HeaderEcho, d.echo), d.saw...)
}

// trailer is what the demo adds to the trailer.
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

// end notes how the call ended, the first time that it is told.
func (d *demoCall) end(err error) {
	if d == nil || d.ended {
		return
	}
	d.ended = true
	d.call.End(err)
}

// endCause is what the end of a stream means to the call that was on it.
func endCause(end h2.End) error {
	if end.By == h2.Peer && end.Code == h2.Cancel {
		return context.Canceled
	}
	return errors.New("the stream ended early: " + end.Code.String())
}
