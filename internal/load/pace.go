package load

import (
	"sync/atomic"
	"time"
)

// Pace says when calls may begin: in a closed loop, as soon as fewer than the
// wanted number are in flight, until the window is over. It is safe for
// concurrent use. Its clock starts at 0 when the pace is made.
type Pace struct {
	epoch    time.Time
	deadline time.Duration
	end      time.Duration // no call begins later; 0 means no end
	calls    int64         // no more calls begin; 0 means no bound
	begun    atomic.Int64
	stopped  atomic.Bool
}

// Next asks to begin a call now. It returns the time on the pace's clock, or
// false once no more calls may begin.
func (p *Pace) Next() (begun time.Duration, ok bool) {
	begun = p.now()
	if p.stopped.Load() || (p.end > 0 && begun >= p.end) {
		return 0, false
	}
	if p.calls > 0 && p.begun.Add(1) > p.calls {
		return 0, false
	}
	return begun, true
}

// Deadline is how long each call may take.
func (p *Pace) Deadline() time.Duration { return p.deadline }

// stop lets no further call begin.
func (p *Pace) stop() { p.stopped.Store(true) }

// now reads the monotonic clock.
func (p *Pace) now() time.Duration { return time.Since(p.epoch) }
