package h2

import (
	"math/rand/v2"
	"testing"
)

// TestTable does the same at random to a table and to a map.
func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tab, want := newTable(), map[uint32]*Stream{}
	for step := range 200_000 {
		id := uint32(random.IntN(400))<<random.IntN(3)*2 + 1 // some rows, some collisions
		switch {
		case want[id] == nil && len(want) < 150:
			s := &Stream{id: id}
			tab.put(s)
			want[id] = s
		case want[id] != nil && random.IntN(2) == 0:
			tab.remove(id)
			delete(want, id)
		}
		if got := tab.get(id); got != want[id] {
			t.Fatalf("step %d: stream %d is %p, want %p", step, id, got, want[id])
		}
	}
	seen := 0
	for s := range tab.all() {
		seen++
		if want[s.id] != s {
			t.Errorf("all yields stream %d, which is not there", s.id)
		}
	}
	if seen != len(want) || tab.n != len(want) {
		t.Errorf("all yields %d streams and n is %d, want %d", seen, tab.n, len(want))
	}
	if tab.get(0) != nil {
		t.Error("there is a stream 0")
	}
}
