package calls

import (
	"sync/atomic"

	"example.com/greet/benchmark/internal/load"
)

// Record receives what a caller records within calls, beside how long each took. A nil field is not
// recorded. A failed call leaves nothing in it.
type Record struct {
	// Begin is called when the window begins, after the warm-up. A caller in another process
	// cannot report that and never calls it.
	Begin func()
	First *load.Times // from the beginning of a call to its first message
	Gap   *load.Times // from one message to the next
	Trip  *load.Times // from a message to its answer
	// InFlight counts the messages that are sent and not answered yet.
	InFlight *InFlight
}

// empty returns a Record of the same fields with new contents, and without Begin.
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

// InFlight counts the messages of one chat that are sent and not answered yet. One goroutine sends
// while another receives. On nil, Sending and Answered do nothing.
type InFlight struct {
	sent      atomic.Int64
	received  int64
	sum, most int64 // of those in flight, as each reply comes
}

// Sending must be called before a message is sent, since its reply could come at once.
func (f *InFlight) Sending() {
	if f != nil {
		f.sent.Add(1)
	}
}

// Answered must be called when a reply has come, whose message still counts as in flight. If no
// message is in flight it returns false and counts nothing.
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
