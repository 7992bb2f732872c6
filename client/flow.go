package main

import (
	"context"
	"fmt"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/wire"
)

const (
	flowPause  = 300 * time.Millisecond // in which the client reads nothing
	flowRounds = 3                      // of reading a little and pausing again
	flowReads  = 12                     // greetings of a round, or more until the server may go on
)

// flowDemo first reads nothing of a fast stream, then a little now and again. From the connection
// it learns how much the server was allowed to send, and how much it sent.
func flowDemo(ctx context.Context, s *stage) error {
	call, giveUp, id := nameCall(ctx)
	defer giveUp()
	s.say("asking for %s greetings of 1 kB, and reading none of them", wire.Number(int(hugeStream.GetCount())))
	stream, err := s.server.GreetStream(call, hugeStream)
	if err != nil {
		return err
	}
	carried, err := s.standstill(ctx)
	if err != nil {
		return err
	}
	read := flowReads
	if flow := carried.Flow(); s.http1 {
		s.sayWire("HTTP/1.1 has no windows; TCP has one, in packets that a program does not see")
		err = receive(stream, flowReads)
	} else {
		s.sayWire("the window was %s bytes; the server sent %s, and stands still", wire.Number(flow.Allowed), wire.Number(flow.Sent))
		read, err = flowSteps(ctx, s, stream, flow)
	}
	if err != nil {
		return err
	}
	s.say("giving up after %s", counted(read, "greeting"))
	giveUp()
	return flowEnd(ctx, s, id, read)
}

// flowSteps repeats a few times: read until the server may send more, pause, and say what that did.
// It returns how many greetings it read.
func flowSteps(ctx context.Context, s *stage, stream stack.GreetStream, flow wire.Flow) (read int, err error) {
	for range flowRounds {
		n := 0
		for n < flowReads || s.look().Flow().Allowed <= flow.Allowed {
			if err := receive(stream, 1); err != nil {
				return read, err
			}
			n++
		}
		read += n
		carried, err := s.standstill(ctx)
		if err != nil {
			return read, err
		}
		now := carried.Flow()
		s.say("read %s", counted(n, "greeting"))
		s.sayWire("%s", allowedBy(carried, flow))
		s.sayWire("the server sent %s bytes more, and stands still", wire.Number(now.Sent-flow.Sent))
		flow = now
	}
	return read, nil
}

// allowedBy says which frame allowed the server to send more than before, and when it came.
func allowedBy(t wire.Timeline, before wire.Flow) string {
	updates := t.Updates(before.Stream, before.Allowed)
	still := t.Still(before.Stream, updates[0].At)
	name := "WINDOW_UPDATE"
	if updates[0].Kind == "QUIC" {
		name = "MAX_STREAM_DATA"
	}
	more := updates[len(updates)-1].Flow.Allowed - before.Allowed
	return fmt.Sprintf("%s +%s bytes, in %s, %d ms after the server's last byte",
		name, wire.Number(more), counted(len(updates), "frame"), still.Milliseconds())
}

// standstill pauses, and returns what the connection has carried once the server has sent all that
// it may. The server may seem to have sent more than that: the frame that allowed the last bytes is
// sometimes recorded after them. Over HTTP/1.1 there is no window to watch.
func (s *stage) standstill(ctx context.Context) (wire.Timeline, error) {
	for {
		pause(ctx, flowPause)
		carried := s.look()
		flow := carried.Flow()
		if s.http1 || flow.Sent > 0 && flow.Sent == flow.Allowed {
			return carried, nil
		}
		if err := ctx.Err(); err != nil {
			return carried, fmt.Errorf("wait for the server to use up the window, with %s bytes of %s sent: %w",
				wire.Number(flow.Sent), wire.Number(flow.Allowed), err)
		}
	}
}

// flowEnd asks the server how many greetings it had sent, and says where the unread ones were.
func flowEnd(ctx context.Context, s *stage, id string, read int) error {
	answer, err := ask(ctx, s.server, greet.HeaderSaw, id)
	if err != nil {
		return err
	}
	saw := orMissing(answer.ResponseHeader, greet.HeaderSaw)
	s.sawServer("%s", saw)
	var sent int
	if _, err := fmt.Sscanf(saw, "canceled after receiving 1 and sending %d", &sent); err == nil {
		s.say("%s greetings waited in the window and in buffers; the other %s were never made",
			wire.Number(sent-read), wire.Number(int(hugeStream.GetCount())-sent))
	}
	return nil
}
