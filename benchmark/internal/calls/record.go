package calls

import (
	"sync/atomic"

	"example.com/greet/benchmark/internal/load"
)

// Record takes what a caller notes within calls, beside how long each took. What is
// nil is not noted. A call that fails leaves nothing in it.
type Record struct {
	// Begin is called when the warm-up is over and the window begins. A caller in
	// another process, which does not tell, never calls it.
	Begin func()
	First *load.Times // from the beginning of a call to its first message
	Gap   *load.Times // from one message to the next
	Trip  *load.Times // from a message to its answer
	// InFlight counts the messages that are sent and not answered yet.
	InFlight *InFlight
}

// empty notes the same things in places of their own, and has no Begin.
func (r Record) empty() Record {
	var e Record
	for _, part := range []struct{ of, to **load.Times }{{&r.First, &e.First}, {&r.Gap, &e.Gap}, {&r.Trip, &e.Trip}} {
		if *part.of != nil {
			*part.to = load.NewTimes()
		}
	}
	if r.InFlight != nil {
		e.InFlight = new(InFlight)
	}
	return e
}

// InFlight counts the messages of one chat that are on their way: sent, and not
// answered yet. One goroutine sends while another receives. Of nil, Sending and
// Answered do nothing.
type InFlight struct {
	sent      atomic.Int64
	received  int64
	sum, most int64 // of those in flight, as each reply comes
}

// Sending is to be called before a message is sent, lest its reply be there first.
func (f *InFlight) Sending() {
	if f != nil {
		f.sent.Add(1)
	}
}

// Answered is to be called when a reply has come, which counts as in flight still. It
// returns false, and counts nothing, if no message is in flight that it could answer.
func (f *InFlight) Answered() bool {
	if f == nil {
		return true
	}
	now := f.sent.Load() - f.received
	if now < 1 {
		return false
	}
	f.received++
	f.sum += now
	f.most = max(f.most, now)
	return true
}

// Mean is how many messages were in flight when a reply came, on average.
func (f *InFlight) Mean() float64 { return float64(f.sum) / float64(f.received) }

// Most is the most that were in flight when a reply came.
func (f *InFlight) Most() int64 { return f.most }
