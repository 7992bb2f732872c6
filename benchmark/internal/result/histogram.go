package result

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Histogram is a named distribution of times in nanoseconds. The percentiles
// are for readers without an HDR library; Encoded holds every bucket, so that
// the histograms of several rounds can be merged. A percentile beyond which
// fewer than 100 samples lie is null.
type Histogram struct {
	Name    string  `json:"name"` // such as "latency"
	Count   int64   `json:"count"`
	MeanNS  float64 `json:"mean_ns"`
	P50NS   *int64  `json:"p50_ns"`
	P90NS   *int64  `json:"p90_ns"`
	P95NS   *int64  `json:"p95_ns"`
	P99NS   *int64  `json:"p99_ns"`
	P999NS  *int64  `json:"p99_9_ns"`
	P9999NS *int64  `json:"p99_99_ns"`
	MaxNS   int64   `json:"max_ns"`
	Encoded string  `json:"encoded"` // HdrHistogram V2, compressed, base64
	// Unweighed holds, in the same encoding, the samples of an open loop's overrun in which other
	// cases would have had their turn but for the stall. Merge leaves them out.
	Unweighed string `json:"encoded_unweighed,omitempty"`
}

// thinBeyond is how many samples must lie beyond a percentile for it to be given: with fewer, one
// slow call more or less moves it.
const thinBeyond = 100

// Percentile is one percentile of a histogram; NS is nil where it is thin.
type Percentile struct {
	Name string // such as "p99.9"
	NS   *int64

	perTenThousand int64
}

// Percentiles lists the histogram's percentiles, lowest first.
func (h Histogram) Percentiles() []Percentile {
	return []Percentile{
		{"p50", h.P50NS, 5000},
		{"p90", h.P90NS, 9000},
		{"p95", h.P95NS, 9500},
		{"p99", h.P99NS, 9900},
		{"p99.9", h.P999NS, 9990},
		{"p99.99", h.P9999NS, 9999},
	}
}

// thinFor reports whether too few of count samples lie beyond the percentile.
func (p Percentile) thinFor(count int64) bool {
	beyond := float64(count) * float64(10_000-p.perTenThousand) / 10_000
	return beyond < thinBeyond
}

// NewHistogram sums up h, whose values are nanoseconds, and encodes it. It does
// not keep h.
func NewHistogram(name string, h *hdrhistogram.Histogram) (Histogram, error) {
	encoded, err := h.EncodeV2()
	if err != nil {
		return Histogram{}, fmt.Errorf("encode histogram %q: %w", name, err)
	}
	sum := Histogram{
		Name: name, Count: h.TotalCount(), MeanNS: h.Mean(), MaxNS: h.Max(), Encoded: string(encoded),
	}
	fields := []**int64{&sum.P50NS, &sum.P90NS, &sum.P95NS, &sum.P99NS, &sum.P999NS, &sum.P9999NS}
	for i, p := range sum.Percentiles() {
		if !p.thinFor(sum.Count) {
			*fields[i] = new(h.ValueAtPercentile(float64(p.perTenThousand) / 100))
		}
	}
	return sum, nil
}

// NewHistogramWithUnweighed is NewHistogram for an open loop. Merge leaves the samples in unweighed
// out, which may be nil.
func NewHistogramWithUnweighed(name string, all, unweighed *hdrhistogram.Histogram) (Histogram, error) {
	sum, err := NewHistogram(name, all)
	if err != nil || unweighed == nil {
		return sum, err
	}
	encoded, err := unweighed.EncodeV2()
	if err != nil {
		return Histogram{}, fmt.Errorf("encode the unweighed samples of histogram %q: %w", name, err)
	}
	sum.Unweighed = string(encoded)
	return sum, nil
}

// Decode returns the distribution with all its buckets. The caller owns it.
func (h Histogram) Decode() (*hdrhistogram.Histogram, error) {
	decoded, err := hdrhistogram.Decode([]byte(h.Encoded))
	if err != nil {
		return nil, fmt.Errorf("decode histogram %q: %w", h.Name, err)
	}
	if decoded.TotalCount() != h.Count {
		return nil, fmt.Errorf("decode histogram %q: it holds %d samples, its count says %d",
			h.Name, decoded.TotalCount(), h.Count)
	}
	return decoded, nil
}

// decodeUnweighed is nil if there is none.
func (h Histogram) decodeUnweighed() (*hdrhistogram.Histogram, error) {
	if h.Unweighed == "" {
		return nil, nil
	}
	decoded, err := hdrhistogram.Decode([]byte(h.Unweighed))
	if err != nil {
		return nil, fmt.Errorf("decode the unweighed samples of histogram %q: %w", h.Name, err)
	}
	return decoded, nil
}
