package load

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Pace says when calls may begin. In a closed loop that is as soon as fewer than
// the wanted number are in flight; in an open loop it is at times of the pace's
// own, whether or not the server keeps up. A pace is safe for concurrent use. Its
// clock starts at 0 when it is made.
type Pace struct {
	epoch    time.Time
	deadline time.Duration
	end      time.Duration // no call begins later; 0 means no end
	calls    int64         // no more calls begin; 0 means no bound
	begun    atomic.Int64
	stopped  atomic.Bool
	arrivals *arrivals // nil in a closed loop
}

// Next asks for the next call. It returns the time on the pace's clock at which
// the call is meant to begin, or false once no more calls may begin. In a closed
// loop that time is now. In an open loop it may be yet to come, and the driver
// waits; or it may be past, and the driver begins the late call at once.
func (p *Pace) Next() (intended time.Duration, ok bool) {
	now := p.Now()
	if p.stopped.Load() || (p.end > 0 && now >= p.end) {
		return 0, false
	}
	if p.arrivals != nil {
		return p.arrivals.next()
	}
	if p.calls > 0 && p.begun.Add(1) > p.calls {
		return 0, false
	}
	return now, true
}

// Deadline is how long each call may take, from when it begins.
func (p *Pace) Deadline() time.Duration { return p.deadline }

// Now reads the pace's clock, which is monotonic.
func (p *Pace) Now() time.Duration { return time.Since(p.epoch) }

// stop lets no further call begin.
func (p *Pace) stop() { p.stopped.Store(true) }

// arrivals are the intended times of an open loop. They depend on nothing that
// the server does: that is what makes the loop open.
type arrivals struct {
	mu       sync.Mutex
	at       time.Duration // of the next arrival
	window   time.Duration // there are none from here on
	interval float64       // mean, in nanoseconds
	taken    int64
	random   *rand.Rand // nil for a constant rate
}

func newArrivals(p Plan) *arrivals {
	a := &arrivals{window: p.Window, interval: float64(time.Second) / p.Rate}
	if p.Poisson {
		a.random = rand.New(rand.NewPCG(p.Seed, 0))
		a.at = time.Duration(a.random.ExpFloat64() * a.interval)
	}
	return a
}

func (a *arrivals) next() (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := a.at
	if at >= a.window {
		return 0, false
	}
	a.taken++
	if a.random != nil {
		a.at += time.Duration(a.random.ExpFloat64() * a.interval)
	} else {
		// A product rather than a sum: rounding would add up over a million arrivals.
		a.at = time.Duration(float64(a.taken) * a.interval)
	}
	return at, true
}

// left counts the arrivals that nobody has taken, and takes them.
func (a *arrivals) left() (n int64) {
	for {
		if _, ok := a.next(); !ok {
			return n
		}
		n++
	}
}
