package load

import (
	"slices"
	"time"
)

// standstillFrom is the shortest time without an ended call that counts as a standstill. Opening
// connections takes time, but by then one of them has an answer.
const standstillFrom = 100 * time.Millisecond

// standstill notes when the calls of a warm-up ended, to find times in which none
// did.
type standstill struct{ ends []time.Duration }

func (s *standstill) ended(at time.Duration) { s.ends = append(s.ends, at) }

// first returns when the first standstill began, if there was one.
func (s *standstill) first() (began time.Duration, ok bool) {
	slices.Sort(s.ends)
	for _, at := range s.ends {
		if at-began > standstillFrom {
			return began, true
		}
		began = at
	}
	return 0, false
}
