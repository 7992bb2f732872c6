package load

import (
	"sync/atomic"
	"time"
)

// Pace says when calls may begin. In a closed loop a call begins as soon as fewer than the wanted
// number are in flight. In an open loop calls begin at the pace's own times, whether or not the
// server keeps up. A pace is safe for concurrent use. Its clock starts at 0 when it is made.
type Pace struct {
	epoch    time.Time
	deadline time.Duration
	end      time.Duration // no call begins later; 0 means no end
	calls    int64         // no more calls begin; 0 means no bound
	begun    atomic.Int64
	stopped  atomic.Bool
	arrivals *arrivals // nil in a closed loop
}

// Next asks for the next call. It returns its intended time on the pace's clock, or false once no
// more calls may begin. In a closed loop that time is now. In an open loop it may be in the future,
// and the driver waits; or it may be past, and the driver begins the late call at once.
func (p *Pace) Next() (intended time.Duration, ok bool) {
	now := p.Now()
	if p.stopped.Load() || (p.end > 0 && now >= p.end) {
		return 0, false
	}
	if p.arrivals != nil {
		return p.arrivals.next(now)
	}
	if p.calls > 0 && p.begun.Add(1) > p.calls {
		return 0, false
	}
	return now, true
}

// Wanted reports, when the time of an arrival has come, whether it must still be made. Only the
// last arrival from Next can be unwanted: by its time the window may be over with nothing
// outstanding. A driver that does not ask makes one unneeded call.
func (p *Pace) Wanted(intended time.Duration) bool {
	return p.arrivals == nil || p.arrivals.wanted(intended, p.Now())
}

// Deadline is how long each call may take, from when it begins.
func (p *Pace) Deadline() time.Duration { return p.deadline }

// Now reads the pace's clock, which is monotonic.
func (p *Pace) Now() time.Duration { return time.Since(p.epoch) }

// stop lets no further call begin.
func (p *Pace) stop() { p.stopped.Store(true) }
