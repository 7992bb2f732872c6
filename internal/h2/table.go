package h2

import "iter"

// table finds open streams by id. It is a hash table of our own because it is used
// several times for each call, and a general map took a fifth of a client's time.
type table struct {
	slots []slot // a power of two, at most half of them in use
	shift int    // of a hash, to get an index of slots
	n     int
}

type slot struct {
	id     uint32 // 0 for an empty slot; no stream has it
	stream *Stream
}

func newTable() table { return table{slots: make([]slot, 16), shift: 32 - 4} }

// home is where a stream stands if its place is free. The ids of a connection are
// odd numbers in a row, which steps of the golden ratio spread evenly (Knuth, The
// Art of Computer Programming, volume 3, section 6.4, theorem S).
func (t *table) home(id uint32) int { return int(id >> 1 * 2654435769 >> t.shift) }

func (t *table) next(i int) int { return (i + 1) & (len(t.slots) - 1) }

// get returns the stream, or nil.
func (t *table) get(id uint32) *Stream {
	for i := t.home(id); t.slots[i].id != 0; i = t.next(i) {
		if t.slots[i].id == id {
			return t.slots[i].stream
		}
	}
	return nil
}

// put adds a stream that is not there yet.
func (t *table) put(s *Stream) {
	if 2*(t.n+1) > len(t.slots) {
		t.grow()
	}
	i := t.home(s.id)
	for t.slots[i].id != 0 {
		i = t.next(i)
	}
	t.slots[i] = slot{s.id, s}
	t.n++
}

func (t *table) grow() {
	old := t.slots
	t.slots, t.shift, t.n = make([]slot, 2*len(old)), t.shift-1, 0
	for _, s := range old {
		if s.id != 0 {
			t.put(s.stream)
		}
	}
}

// remove takes out a stream that is there. Those that stood behind it because its
// place was taken move up, so that a search need not step over gaps (Knuth, The
// Art of Computer Programming, volume 3, section 6.4, algorithm R).
func (t *table) remove(id uint32) {
	gap := t.home(id)
	for t.slots[gap].id != id {
		gap = t.next(gap)
	}
	t.n--
	for i := t.next(gap); t.slots[i].id != 0; i = t.next(i) {
		// What is at i may fill the gap unless its home lies after the gap.
		if distance(t.home(t.slots[i].id), i, len(t.slots)) >= distance(gap, i, len(t.slots)) {
			t.slots[gap] = t.slots[i]
			gap = i
		}
	}
	t.slots[gap] = slot{}
}

// distance is how many steps it is from one slot to another.
func distance(from, to, slots int) int { return (to - from) & (slots - 1) }

// all yields the streams in no order. None may be added or removed meanwhile.
func (t *table) all() iter.Seq[*Stream] {
	return func(yield func(*Stream) bool) {
		for _, s := range t.slots {
			if s.id != 0 && !yield(s.stream) {
				return
			}
		}
	}
}
