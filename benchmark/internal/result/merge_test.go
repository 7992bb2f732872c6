package result

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// TestOverrunsWeighWhatTheyStandFor has windows with 900 fast and 100 slow samples
// and an overrun with 400 slow ones more.
func TestOverrunsWeighWhatTheyStandFor(t *testing.T) {
	all, overrun := newDistribution(), newDistribution()
	add := func(h *hdrhistogram.Histogram, d time.Duration, n int64) {
		if err := h.RecordValues(d.Nanoseconds(), n); err != nil {
			t.Fatal(err)
		}
	}
	add(all, time.Millisecond, 900)
	add(all, time.Second, 500)
	add(overrun, time.Second, 400)
	h, err := NewHistogramWithOverrun(Latency, all, overrun)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		seen  float64
		count int64
	}{{1, 1400}, {0.25, 1100}, {0.01, 1004}} {
		merged, err := MergeSeen([]Histogram{h}, test.seen)
		if err != nil {
			t.Fatal(err)
		}
		if merged.Count != test.count || merged.MaxNS != h.MaxNS {
			t.Errorf("windows saw %v: %d samples up to %d ns, want %d up to %d", test.seen, merged.Count, merged.MaxNS, test.count, h.MaxNS)
		}
	}
}
