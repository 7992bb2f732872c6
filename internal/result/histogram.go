package result

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
}
