package load

import (
	"context"
	"math"
	"time"
)

// Plan says how much load one slice makes. With Rate it is an open loop: calls arrive at that rate
// during Window, whatever the server does. Without Rate it is a closed loop: Concurrency calls are
// kept in flight until Calls of them are made or Window is over.
type Plan struct {
	// Concurrency is how many calls are kept in flight; in an open loop, the most that may be. A
	// call that arrives when so many are in flight begins late and is counted as late. Its latency
	// runs from its intended time.
	Concurrency int
	// Calls is how many calls the window of a closed loop has. 0 means that Window
	// ends it.
	Calls int64
	// Window is how long a timed window lasts. Unused if Calls is set.
	Window time.Duration
	// Rate is how many calls arrive in a second of an open loop.
	Rate float64
	// Poisson makes the arrivals of an open loop independent of each other, with
	// Seed; otherwise they come at equal intervals.
	Poisson bool
	Seed    uint64
	// Warmup is how many calls WarmUp makes, in a closed loop at the same concurrency. The window
	// does not count them.
	Warmup int64
	// Since is when a timed window begins; zero means now. If it is in the past, arrivals of an
	// open loop that were due since then are late, and their latencies show it. See
	// Warmed.StoodStill and Meet.
	Since time.Time
	// LastSeen is when the previous window on the same server ended, or zero. Slices look at a
	// server now and then. A stall of 2 s that they meet once in 10 s is a fifth of the time,
	// although one slice may see it for most of its own. So of the arrivals in an overrun only
	// those count that would have been in a window if the slices had gone on in turn. The pauses
	// between those are as long as the one before this window.
	LastSeen time.Time
	// Deadline is how long one call may take.
	Deadline time.Duration
	// Meet, if set, is called after the warm-up. It returns when the window may begin, with the
	// time at which a timed window does, which may just have passed.
	Meet func(context.Context) (time.Time, error)
	// Patience bounds a window that has Calls: after it no further call begins. So a server that
	// hangs cannot hold up the run. 0 means no bound.
	Patience time.Duration
}

// maxFailures is how many failed calls end a window with a fixed number of calls. The result has
// lost its rank with the first; the rest would only cost time.
const maxFailures = 100

// warmup returns the pace and recorder of the warm-up. One failure ends it and disqualifies the
// case; more would only cost time.
func (p Plan) warmup() (*Pace, *Recorder) {
	pace := &Pace{epoch: time.Now(), deadline: p.Deadline, calls: p.Warmup, end: p.Patience}
	recorder := newRecorder(pace, 0, stopAfter(pace, 1))
	recorder.standstill = new(standstill)
	return pace, recorder
}

// window returns the pace of the window and the recorder of its calls.
func (p Plan) window() (*Pace, *Recorder) {
	pace := &Pace{epoch: time.Now(), deadline: p.Deadline}
	switch {
	case p.Rate > 0:
		pace.arrivals = newArrivals(p)
		if !p.Since.IsZero() {
			pace.epoch = p.Since
		}
		// The overrun lasts one deadline at most; then the backlog is counted as unsent.
		pace.end = p.Window + p.Deadline
		recorder := newRecorder(pace, p.Window, stopAfter(pace, math.MaxInt64))
		if !p.LastSeen.IsZero() {
			recorder.pause = max(0, pace.epoch.Sub(p.LastSeen))
		}
		return pace, recorder
	case p.Calls > 0:
		pace.calls, pace.end = p.Calls, p.Patience
		return pace, newRecorder(pace, 0, stopAfter(pace, maxFailures))
	default:
		pace.end = p.Window
		if !p.Since.IsZero() {
			pace.epoch = p.Since
		}
		return pace, newRecorder(pace, p.Window, stopAfter(pace, math.MaxInt64))
	}
}

// stopAfter stops the pace once enough calls have failed.
func stopAfter(p *Pace, enough int64) func(total int64) {
	return func(total int64) {
		if total >= enough {
			p.stop()
		}
	}
}
