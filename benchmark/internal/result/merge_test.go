package result

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// TestMergeLeavesOutWhatIsUnweighed has 900 fast and 500 slow samples, of which 400
// are not to be weighed.
func TestMergeLeavesOutWhatIsUnweighed(t *testing.T) {
	all, unweighed := newDistribution(), newDistribution()
	add := func(h *hdrhistogram.Histogram, d time.Duration, n int64) {
		if err := h.RecordValues(d.Nanoseconds(), n); err != nil {
			t.Fatal(err)
		}
	}
	add(all, time.Millisecond, 900)
	add(all, time.Second, 500)
	add(unweighed, time.Second, 400)
	h, err := NewHistogramWithUnweighed(Latency, all, unweighed)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := Merge([]Histogram{h, h})
	if err != nil {
		t.Fatal(err)
	}
	if merged.Count != 2000 || merged.MaxNS != h.MaxNS || *merged.P90NS > 2*time.Millisecond.Nanoseconds() {
		t.Errorf("%d samples up to %d ns, p90 %d, want 2,000 up to %d, of which a tenth is slow", merged.Count, merged.MaxNS, *merged.P90NS, h.MaxNS)
	}
}
