package load

import (
	"math/rand/v2"
	"sync"
	"time"
)

// arrivals are the intended times of an open loop. They do not depend on the server: that is what
// makes the loop open. Only their end does. If calls of the window are outstanding when it ends, an
// overrun follows, in which arrivals go on until the server has caught up. Without it a stall would
// weigh only as much as was left of the window, however long it lasted.
type arrivals struct {
	mu       sync.Mutex
	at       time.Duration // of the next arrival
	window   time.Duration // from here on arrivals belong to the overrun
	interval float64       // mean, in nanoseconds
	taken    int64
	random   *rand.Rand // nil for a constant rate

	outstanding int64         // arrivals of the window that were taken and have not ended
	last        time.Duration // latency of the call that ended last
	over        bool          // there are no more arrivals
}

// caughtUp is a share of the window. The overrun ends when the last call's latency is below it,
// because then the backlog is gone.
const caughtUp = 0.1

func newArrivals(p Plan) *arrivals {
	a := &arrivals{window: p.Window, interval: float64(time.Second) / p.Rate}
	if p.Poisson {
		a.random = rand.New(rand.NewPCG(p.Seed, 0))
		a.at = time.Duration(a.random.ExpFloat64() * a.interval)
	}
	return a
}

// next takes the next arrival. There is none once the window is over at the time now and the server
// has caught up.
func (a *arrivals) next(now time.Duration) (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended(now) {
		return 0, false
	}
	if a.at < a.window {
		a.outstanding++
	}
	return a.take(), true
}

// wanted reports whether an arrival that next returned must still be made.
func (a *arrivals) wanted(intended, now time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return intended < a.window || !a.ended(now)
}

// ended must be called with a.mu held, like take.
func (a *arrivals) ended(now time.Duration) bool {
	settled := a.outstanding == 0 && float64(a.last) <= caughtUp*float64(a.window)
	a.over = a.over || (a.at >= a.window && now >= a.window && settled)
	return a.over
}

func (a *arrivals) take() time.Duration {
	at := a.at
	a.taken++
	if a.random != nil {
		a.at += time.Duration(a.random.ExpFloat64() * a.interval)
	} else {
		// A product rather than a sum: rounding would add up over a million arrivals.
		a.at = time.Duration(float64(a.taken) * a.interval)
	}
	return at
}

// answered notes that a call has ended.
func (a *arrivals) answered(c Completion) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = c.Ended - c.Intended
	if c.Intended < a.window {
		a.outstanding--
	}
}

// left counts the arrivals that were due before the given time and that nobody took.
func (a *arrivals) left(before time.Duration) (n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.over && a.at < before {
		a.take()
		n++
	}
	return n
}
