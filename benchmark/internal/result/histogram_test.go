package result

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestHistogramRoundTrip(t *testing.T) {
	h := newHDR()
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		value := int64(50_000 * math.Exp(random.NormFloat64())) // a long tail around 50 µs
		if err := h.RecordValue(value); err != nil {
			t.Fatal(err)
		}
	}
	for _, edge := range []int64{1, 2, time.Minute.Nanoseconds()} {
		if err := h.RecordValue(edge); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := NewHistogram(Latency, h)
	if err != nil {
		t.Fatal(err)
	}
	back, err := sum.Decode()
	if err != nil {
		t.Fatal(err)
	}
	if !back.Equals(h) {
		t.Error("the decoded histogram differs from the encoded one")
	}
	if got := len(sum.Encoded); got > 16<<10 {
		t.Errorf("encoded to %d bytes, want at most 16 KiB for a line to stay handy", got)
	}
	if got := h.ByteSize(); got > 256<<10 {
		t.Errorf("%d bytes in memory, want at most 256 KiB for one per shard to be cheap", got)
	}
	t.Logf("%d bytes in memory, %d encoded", h.ByteSize(), len(sum.Encoded))
}

// A lowest value of 1,000 ns would make 5.0 µs read 5.1.
func TestHistogramKeepsThreeDigits(t *testing.T) {
	for _, value := range []int64{999, 5_000, 123_456, 7_654_321} {
		sum := histogramOf(t, Latency, 200, time.Duration(value))
		if got := *sum.P50NS; math.Abs(float64(got-value)) > float64(value)/1000 {
			t.Errorf("p50 of %d ns is %d ns", value, got)
		}
	}
}

func TestThinPercentilesAreNull(t *testing.T) {
	for _, test := range []struct {
		count int64
		want  string // the percentiles that are given
	}{
		{1, ""},
		{199, ""},
		{200, "p50"},
		{999, "p50"},
		{1_000, "p50 p90"},
		{1_999, "p50 p90"},
		{2_000, "p50 p90 p95"},
		{9_999, "p50 p90 p95"},
		{10_000, "p50 p90 p95 p99"},
		{99_999, "p50 p90 p95 p99"},
		{100_000, "p50 p90 p95 p99 p99.9"},
		{999_999, "p50 p90 p95 p99 p99.9"},
		{1_000_000, "p50 p90 p95 p99 p99.9 p99.99"},
	} {
		var given []string
		for _, p := range histogramOf(t, Latency, test.count, time.Millisecond).Percentiles() {
			if p.NS != nil {
				given = append(given, p.Name)
			}
		}
		if got := strings.Join(given, " "); got != test.want {
			t.Errorf("%d samples give %q, want %q", test.count, got, test.want)
		}
	}
}

func TestMergeIsNotAnAverage(t *testing.T) {
	fast := histogramOf(t, Latency, 900, time.Millisecond)
	slow := histogramOf(t, Latency, 1_100, time.Second)
	whole, err := Merge([]Histogram{fast, slow})
	if err != nil {
		t.Fatal(err)
	}
	if whole.Count != 2_000 {
		t.Errorf("%d samples, want 2000", whole.Count)
	}
	if got := time.Duration(*whole.P50NS); got < 999*time.Millisecond || got > 1001*time.Millisecond {
		t.Errorf("p50 is %v, want 1s; an average would be near 0.5s", got)
	}
	if whole.P95NS == nil {
		t.Error("p95 is null, though 100 samples of the whole lie beyond it")
	}
}

func TestMergeRefuses(t *testing.T) {
	good := histogramOf(t, Latency, 10, time.Millisecond)
	lying := good
	lying.Count = 11
	garbled := good
	garbled.Encoded = "AAAA"
	for _, test := range []struct {
		name  string
		parts []Histogram
		want  string
	}{
		{"nothing", nil, "there are none"},
		{"two names", []Histogram{good, histogramOf(t, "gap", 10, 1)}, "different things"},
		{"a count that is not the buckets'", []Histogram{lying}, "its count says 11"},
		{"garbled buckets", []Histogram{good, garbled}, "decode histogram"},
	} {
		if _, err := Merge(test.parts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
