package floor

import (
	"time"

	"example.com/greet/benchmark/internal/load"
)

// loadTimes notes when the messages of one call were sent and came. A nil one notes
// nothing.
type loadTimes struct {
	first, gap, trip *load.Batch   // those that are nil are not noted
	last             time.Duration // when the call began, or its last message was sent or came
}

// takeTimes returns what is to note the times of a call that begins now.
func (c *loadConn) takeTimes(now time.Duration) *loadTimes {
	r := c.record
	if r.First == nil && r.Gap == nil && r.Trip == nil {
		return nil
	}
	var t *loadTimes
	if n := len(c.times); n > 0 {
		t, c.times = c.times[n-1], c.times[:n-1]
	} else {
		t = &loadTimes{first: batchOf(r.First), gap: batchOf(r.Gap), trip: batchOf(r.Trip)}
	}
	t.last = now
	return t
}

func batchOf(t *load.Times) *load.Batch {
	if t == nil {
		return nil
	}
	return t.Batch()
}

// putTimes keeps what was noted of a call that went well, and drops it otherwise.
func (c *loadConn) putTimes(call *loadCall) {
	t := call.times
	if t == nil {
		return
	}
	for _, b := range []*load.Batch{t.first, t.gap, t.trip} {
		switch {
		case b == nil:
		case call.err == nil:
			b.Keep()
		default:
			b.Drop()
		}
	}
	c.times = append(c.times, t)
}

// sending notes that a message is about to be sent.
func (t *loadTimes) sending(pace *load.Pace) {
	if t != nil && t.trip != nil {
		t.last = pace.Now()
	}
}

// received notes that a message has come, which is the n-th, counted from 1.
func (t *loadTimes) received(pace *load.Pace, n int) {
	if t == nil {
		return
	}
	now := pace.Now()
	for _, b := range []*load.Batch{t.partOf(n), t.trip} {
		if b != nil {
			b.Add(now - t.last)
		}
	}
	t.last = now
}

// partOf is what notes the time before the n-th message.
func (t *loadTimes) partOf(n int) *load.Batch {
	if n == 1 {
		return t.first
	}
	return t.gap
}
