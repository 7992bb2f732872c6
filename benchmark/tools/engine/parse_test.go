package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	aSecond := job{window: time.Second}
	tests := []struct {
		name  string
		parse func([]byte, job) (sample, error)
		text  string
		want  sample
	}{{
		"floor", parseFloor,
		`{"calls":30,"warmup_calls":5,"window_ns":2000000000,"errors":{},"first_error":"","peak_rss_bytes":7}`,
		sample{calls: 30, warmup: 5, rate: 15, window: 2 * time.Second, errors: map[string]int64{}, peak: 7},
	}, {
		"h2load", parseH2load,
		"finished in 1.00s, 5288.91 req/s, 323.11KB/s\n" +
			"requests: 20064 total, 20064 started, 20000 done, 20000 succeeded, 0 failed, 0 errored, 0 timeout\n",
		sample{calls: 20000, rate: 5288.91, window: time.Second},
	}, {
		"h2load with failures", parseH2load,
		"finished in 1.00s, 10.00 req/s, 1KB/s\n" +
			"requests: 14 total, 14 started, 14 done, 10 succeeded, 3 failed, 2 errored, 1 timeout\n",
		sample{
			calls: 10, rate: 10, window: time.Second, errors: map[string]int64{"unknown": 4},
			text: "requests: 14 total, 14 started, 14 done, 10 succeeded, 3 failed, 2 errored, 1 timeout",
		},
	}, {
		"ghz", parseGhz,
		`{"total":500000000,"rps":4000,"statusCodeDistribution":{"OK":2000},"errorDistribution":{}}`,
		sample{calls: 2000, rate: 4000, window: 500 * time.Millisecond},
	}, {
		"ghz refused", parseGhz,
		`{"total":1000000000,"rps":7200.4,"statusCodeDistribution":{"DeadlineExceeded":2},"errorDistribution":{"too late":2}}`,
		sample{
			rate: 7200.4, window: time.Second, errors: map[string]int64{"deadline_exceeded": 2},
			text: "too late; it gives 7200 requests a second",
		},
	}}
	for _, tt := range tests {
		got, err := tt.parse([]byte(tt.text), aSecond)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(sample{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, parse := range map[string]func([]byte, job) (sample, error){
		"floor": parseFloor, "h2load": parseH2load, "ghz": parseGhz,
	} {
		for _, text := range []string{"", "{", "no such host", "finished in 0s, 0 req/s"} {
			if s, err := parse([]byte(text), job{}); err == nil {
				t.Errorf("%s made %+v of %q", name, s, text)
			}
		}
	}
	if _, err := parseGhz([]byte("{}"), job{}); err == nil {
		t.Error("ghz: a report without a time was taken")
	}
}
