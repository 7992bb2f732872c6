package result

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// goodLine is a line with nothing wrong: 2,000 calls in 1 s, 4 in flight, 2 ms
// each, on one connection.
func goodLine(t *testing.T) Line {
	t.Helper()
	return Line{
		Schema: SchemaVersion, Run: "r1", Round: 1, Order: 3,
		Plan:    &Plan{Rounds: 9, Lines: 9, SliceNS: 1e9, Cases: "ab"},
		Started: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Case: Case{
			Stack: "grpc-go/grpc/h2c", Language: "go", Libraries: []string{"google.golang.org/grpc v1.85.0"},
			Client: "own", Scenario: "family", Mode: "unary", Concurrency: 4, Payload: 16, Calls: 2000, Messages: 1,
		},
		WarmupCalls: 100, WindowNS: 1e9, Calls: 2000, Sent: 2000, Received: 2000,
		Metrics:    []Metric{{Name: "rate", Unit: "req/s", Better: Higher, Value: 2000}},
		Histograms: []Histogram{histogramOf(t, Latency, 2000, 2*time.Millisecond)},
		Opened:     1, Accepted: new(int64(1)),
		Environment: Environment{
			Host: "abc", CPU: "Some CPU", CPUs: 2, Memory: 8 << 30, GoMaxProcs: 2, Kernel: "6.1.0", OS: "linux",
			Arch: "amd64", Go: "go1.26.8", Commit: "unknown", Governor: "unknown", Command: "go run ./benchmark",
		},
	}
}

// newHDR is a histogram as the load engine keeps it: 1 ns to 60 s, 3 digits.
func newHDR() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, time.Minute.Nanoseconds(), 3)
}

// histogramOf holds count samples of one value.
func histogramOf(t *testing.T, name string, count int64, value time.Duration) Histogram {
	t.Helper()
	h := newHDR()
	if err := h.RecordValues(value.Nanoseconds(), count); err != nil {
		t.Fatal(err)
	}
	sum, err := NewHistogram(name, h)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}
