package bare

import (
	"bytes"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
)

// loadCall is one call of a driver. It is used again. Times are on the pace's clock.
type loadCall struct {
	work                      *loadWork
	intended, begun, deadline time.Duration
	sent, replies             int // messages
	note                      *calls.Note
	over                      bool
	err                       error // nil for success
}

// judge notes what is wrong with the call. Only the first counts.
func (call *loadCall) judge(err error) {
	if call.err == nil {
		call.err = err
	}
}

// fill begins calls while there is room and the pace allows it.
func (c *loadConn) fill(now time.Duration) {
	for !c.exhausted && c.inFlight < c.share {
		if !c.reserved {
			var ok bool
			if c.intended, ok = c.pace.Next(); !ok {
				c.exhausted = true
				return
			}
			now = max(now, c.pace.Now())
		}
		if c.reserved = c.intended > now; c.reserved {
			return
		}
		if !c.pace.Wanted(c.intended) {
			c.exhausted = true
			return
		}
		c.begin(now)
	}
}

// begin begins a call.
func (c *loadConn) begin(now time.Duration) {
	call := new(loadCall)
	if n := len(c.unused); n > 0 {
		call, c.unused = c.unused[n-1], c.unused[:n-1]
	}
	*call = loadCall{
		work: c.driver.variant(), intended: c.intended, begun: now, deadline: now + c.pace.Deadline(), note: c.notes.Begin(now),
	}
	c.inFlight++
	c.sending = append(c.sending, call)
}

// sendNext sends the next message of a call, and reports whether another is to follow
// at once.
func (c *loadConn) sendNext(call *loadCall) bool {
	work := call.work
	if work.inTurn || call.sent == 0 {
		c.waiting = append(c.waiting, call)
	}
	if call.sent < work.messages {
		c.driver.record.InFlight.Sending()
		call.note.Sending(c.pace)
	}
	c.out.add(work.request(call.sent))
	call.sent++
	return !work.inTurn && call.sent < work.sends
}

// reply takes a message of the first call that waits for one. An error says that nobody
// knows any more which call the next message is for.
func (c *loadConn) reply(message []byte) error {
	if len(c.waiting) == 0 {
		return &calls.WrongReplyError{Method: "any", Got: "a reply", Want: "none before its request"}
	}
	call := c.waiting[0]
	if err := c.misplaced(call, message == nil); err != nil {
		call.judge(err)
		return err
	}
	over := message == nil
	if !over {
		c.check(call, message)
		over = !call.work.chat && call.replies == call.work.wants
	}
	if over || call.work.inTurn {
		c.waiting = c.waiting[:copy(c.waiting, c.waiting[1:])]
	}
	switch {
	case over:
		now := c.pace.Now()
		c.end(call, now)
		c.fill(now)
	case call.work.inTurn:
		c.sending = append(c.sending, call)
	}
	return nil
}

// misplaced says what is wrong with what has come, if it is an end where a message is
// due, or the reverse, or has come too early.
func (c *loadConn) misplaced(call *loadCall, end bool) error {
	work := call.work
	wrong := calls.WrongReplyError{Method: work.method}
	switch {
	case end && call.replies < work.wants:
		wrong.Got, wrong.Want = "an end", "a message"
	case !end && call.replies == work.wants:
		wrong.Got, wrong.Want = "a message more", "an end"
	case call.sent < work.needed(call.replies):
		wrong.Got, wrong.Want = "a reply", "none before its request"
	default:
		return nil
	}
	return &wrong
}

// check compares a reply with the right one.
func (c *loadConn) check(call *loadCall, message []byte) {
	want := call.work.reply(call.replies)
	if !bytes.Equal(message, want) {
		call.judge(calls.CheckReply(call.work.method, string(message), string(want)))
	}
	call.replies++
	c.driver.record.InFlight.Answered()
	call.note.Received(c.pace, call.replies)
}

// end counts a call that has ended.
func (c *loadConn) end(call *loadCall, now time.Duration) {
	outcome := load.Outcome{Sent: int64(min(call.sent, call.work.messages)), Received: int64(call.replies)}
	if call.err != nil {
		outcome = calls.Failed(call.err)
	}
	if call.err == nil || !c.canceled {
		c.shard.Add(load.Completion{Intended: call.intended, Begun: call.begun, Ended: now, Outcome: outcome})
	}
	c.notes.End(call.note, call.err == nil)
	c.inFlight--
	call.over = true
	c.unused = append(c.unused, call)
}
