package rendezvous

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// arrive notes that a guest waits at a point.
func (h *Host) arrive(g *guest, p pass) {
	h.mu.Lock()
	defer h.mu.Unlock()
	g.at, g.roundTrip = p.Point, p.RoundTripNS
	h.waiting++
	if h.failed == "" && g.at > Joined && h.waiting == 1 {
		h.await(h.Patience)
	}
	if h.waiting >= h.there { // otherwise another one will be the last
		h.advance()
	}
}

// await bounds how long the waiting guests wait; 0 says that nobody waits.
func (h *Host) await(patience time.Duration) {
	if h.due = (time.Time{}); patience == 0 {
		h.timer.Stop()
		return
	}
	h.due = time.Now().Add(patience)
	h.timer.Reset(patience)
}

// present returns the guests that are there, sorted by index.
func (h *Host) present() []*guest {
	var there []*guest
	for _, g := range h.guests {
		if _, lost := h.lost[g.Index]; !lost && !g.done {
			there = append(there, g)
		}
	}
	slices.SortFunc(there, func(a, b *guest) int { return cmp.Compare(a.Index, b.Index) })
	return there
}

// advance lets guests pass the point at which they wait, once all have come to it. A guest that has
// left is done and holds up nobody.
func (h *Host) advance() {
	there := h.present()
	h.there, h.waiting = len(there), 0
	for _, g := range there {
		if g.at > g.answered {
			h.waiting++
		}
	}
	h.settle()
	if h.failed != "" || len(there) == 0 || h.passed < Joined && len(h.guests)+h.lostBeforeJoining() < h.Count {
		return
	}
	to := slices.MinFunc(there, func(a, b *guest) int { return cmp.Compare(a.at, b.at) }).at
	if to <= h.passed {
		return
	}
	h.passed = to
	h.await(0)
	start, lost := h.clock.now()+h.lead(there).Nanoseconds(), h.missing()
	for _, g := range there {
		if g.at <= to && g.answered < g.at {
			g.answered = g.at
			h.waiting--
			// If the send fails, listenTo finds the guest to be lost.
			_ = g.wire.send(reply{Passed: &g.at, StartNS: start, Lost: lost})
		}
	}
	if h.waiting > 0 {
		h.await(h.Patience)
	}
}

// lostBeforeJoining counts the lost workers that never were guests.
func (h *Host) lostBeforeJoining() (n int) {
	for index := range h.lost {
		if h.guests[index] == nil {
			n++
		}
	}
	return n
}

// lead is how far in the future a start is set, so that all guests know it in time.
func (h *Host) lead(there []*guest) time.Duration {
	const (
		least = 2 * time.Millisecond
		each  = 30 * time.Microsecond // to send a line
	)
	lead := least + time.Duration(len(there))*each
	var slowest time.Duration
	for _, g := range there {
		slowest = max(slowest, g.roundTrip)
	}
	return lead + 2*slowest
}

// settle tells Close when no guest is left.
func (h *Host) settle() {
	untold := h.failed != "" && h.passed < Joined && len(h.told) < h.Count && time.Now().Before(h.joinBy)
	if !h.closed || len(h.present()) > 0 || untold {
		return
	}
	select {
	case <-h.left:
	default:
		close(h.left)
	}
}

// where describes how far a worker had come.
func (p Point) where() string {
	if p <= Joined {
		return "before the first slice"
	}
	return fmt.Sprintf("in slice %d", (int(p)-1)/3+1)
}
