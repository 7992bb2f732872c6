package load

import (
	"sync"
	"testing"
	"time"
)

func TestTimesOfAllBatchesAreKept(t *testing.T) {
	times := NewTimes()
	var adding sync.WaitGroup
	for worker := range 4 {
		adding.Go(func() {
			batch := times.Batch()
			for call := range 100 {
				for range 50 {
					batch.Add(time.Duration(worker+1) * time.Millisecond)
				}
				if call%2 == 0 {
					batch.Keep()
				} else {
					batch.Drop() // a failed call
				}
			}
		})
	}
	adding.Wait()
	h := times.Histogram()
	if got := h.TotalCount(); got != 4*50*50 {
		t.Errorf("kept %d times, want all 10,000 of the calls that succeeded", got)
	}
	if got := time.Duration(h.Max()).Round(10 * time.Microsecond); got != 4*time.Millisecond {
		t.Errorf("longest is %v, want 4ms", got)
	}
}

func TestTimeBeyondTheRangeCounts(t *testing.T) {
	times := NewTimes()
	batch := times.Batch()
	batch.Add(2 * time.Minute)
	batch.Keep()
	if h := times.Histogram(); h.TotalCount() != 1 || h.Max() < int64(59*time.Second) {
		t.Errorf("kept %d, longest %v, want the one, cut to a minute", h.TotalCount(), time.Duration(h.Max()))
	}
}
