package load

import (
	"context"
	"time"
)

// napFrom is how long before an intended time the exact wait begins. The runtime's timers are never
// that late on a machine that is not busy.
const napFrom = 2 * time.Millisecond

// turn lets the free workers of an open loop wait one at a time, each for the next arrival. An
// exact wait keeps a thread: one at a time is affordable, one per worker is not.
type turn struct {
	pace *Pace
	mine chan struct{} // full when nobody waits; nil in a closed loop, where nobody does
}

func newTurn(p *Pace) turn {
	if p.arrivals == nil {
		return turn{pace: p}
	}
	t := turn{pace: p, mine: make(chan struct{}, 1)}
	t.mine <- struct{}{}
	return t
}

// wait returns when the next call is to begin, with the time at which it was meant
// to, or false once no more calls may begin or ctx is done.
func (t turn) wait(ctx context.Context) (intended time.Duration, ok bool) {
	if t.mine != nil {
		<-t.mine
		defer func() { t.mine <- struct{}{} }()
	}
	intended, ok = t.pace.Next()
	return intended, ok && sleepUntil(ctx, t.pace, intended) && t.pace.Wanted(intended)
}

// sleepUntil waits for a time on the pace's clock. It reports whether ctx lets
// the call go ahead.
func sleepUntil(ctx context.Context, pace *Pace, at time.Duration) bool {
	if wait := at - pace.Now() - napFrom; wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	for ctx.Err() == nil {
		wait := at - pace.Now()
		if wait <= 0 {
			return true
		}
		nap(wait)
	}
	return false
}
