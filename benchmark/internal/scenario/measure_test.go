package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// few makes a case short enough for a test, also on a machine that has no time.
func few(c result.Case) result.Case {
	if c.Calls > 20 {
		if c.Connections == c.Calls {
			c.Connections = 20
		}
		c.Calls = 20
	}
	c.Messages = min(c.Messages, 50)
	switch {
	case c.Load > 0:
		c.Rate = 1000
	case c.Calls == 0 && c.Rate == 0 && c.Concurrency > 1:
		c.Calls = 200 // the others stay timed
	}
	return c
}

// ownTests are the scenarios whose figures other tests are about.
var ownTests = []string{"codec", "family", "idle", "cost", "interop"}

// figures are what the scenarios report, in their modes. One that is not listed is
// measured all the same.
var figures = map[string]struct{ metrics, histograms []string }{
	"unary":         {[]string{"rate"}, []string{"latency"}},
	"open":          {[]string{"rate", "late", "unsent"}, []string{"service", "latency"}},
	"open-poisson":  {[]string{"rate", "late", "unsent"}, []string{"service", "latency"}},
	"open-fixed":    {[]string{"rate", "late", "unsent"}, []string{"service", "latency"}},
	"channels":      {[]string{"rate"}, []string{"latency"}},
	"server-stream": {[]string{"message_rate"}, []string{"first_message", "gap"}},
	"client-stream": {[]string{"time_per_call"}, []string{"latency"}},
	"bidi-pingpong": {[]string{"round_trip_rate"}, []string{"round_trip"}},
	"fixed-cost":    {[]string{"time_per_call", "median_call", "client_allocations"}, []string{"latency"}},
	"bidi-flood":    {[]string{"message_rate", "in_flight_mean", "in_flight_max"}, nil},
}

// TestEveryScenarioMeasures measures every case of two stacks on real servers.
func TestEveryScenarioMeasures(t *testing.T) {
	for _, s := range []stack.Stack{overGRPC(), overHTTP1()} {
		target := served(t, s)
		for _, scenario := range All {
			if slices.Contains(ownTests, scenario.Name) {
				continue
			}
			want, listed := figures[scenario.Name]
			t.Run(s.Name.String()+" "+scenario.Name, func(t *testing.T) {
				for _, c := range scenario.Cases([]stack.Stack{s}) {
					c = few(c)
					line := measured(t, scenario, target, c)
					checkCounts(t, c, line)
					if !listed {
						continue
					}
					if diff := cmp.Diff(want.metrics, metricNames(line)); diff != "" {
						t.Errorf("%s: metrics (-want +got):\n%s", c.Key(), diff)
					}
					if diff := cmp.Diff(want.histograms, histogramNames(line)); diff != "" {
						t.Errorf("%s: histograms (-want +got):\n%s", c.Key(), diff)
					}
				}
			})
		}
	}
}

// measured measures a slice that nothing must be wrong with.
func measured(t *testing.T, s Scenario, target Setup, c result.Case) result.Line {
	t.Helper()
	line, err := s.Measure(t.Context(), target, c)
	if err != nil {
		t.Fatalf("%s: %v", c.Key(), err)
	}
	line.Case = c
	marks := []result.Verdict{result.ThinPercentile, result.LittlesLaw, result.BehindSchedule, result.Stalled} // of a slow machine
	if strings.Contains(c.Stack, "/h1") {
		// On a slow machine net/http gives up a connection now and then, see
		// maxWriteWaitBeforeConnReuse, and another one is dialled.
		marks = append(marks, result.ConnectionsDiffer)
	}
	for _, v := range result.Judge(&line) {
		if !slices.Contains(marks, v) {
			t.Errorf("%s: verdict %s, errors %v: %s", c.Key(), v, line.Errors, line.FirstError)
		}
	}
	return line
}

func checkCounts(t *testing.T, c result.Case, line result.Line) {
	t.Helper()
	if c.Calls > 0 && line.Calls != int64(c.Calls) || line.Calls == 0 || line.WindowNS <= 0 || line.WarmupCalls == 0 {
		t.Errorf("%s: %d calls in %d ns after %d, want %d", c.Key(), line.Calls, line.WindowNS, line.WarmupCalls, c.Calls)
	}
	sent, received := line.Calls, line.Calls
	switch greet.Mode(c.Mode) {
	case greet.ServerStream:
		received *= int64(c.Messages)
	case greet.ClientStream:
		sent *= int64(c.Messages)
	case greet.Bidi:
		sent, received = sent*int64(c.Messages), received*int64(c.Messages)
	}
	off := line.Sent - sent
	if greet.Mode(c.Mode) == greet.ClientStream && max(off, -off) <= line.Calls { // their lengths are drawn
		off = 0
	}
	if off != 0 || line.Received != received {
		t.Errorf("%s: %d messages sent and %d received, want %d and %d", c.Key(), line.Sent, line.Received, sent, received)
	}
	samples := map[string]int64{
		"latency": line.Calls + line.AfterWindow, "service": line.Calls, "first_message": line.Calls,
		"gap": received - line.Calls, "round_trip": received,
	}
	for _, h := range line.Histograms {
		if h.Count != samples[h.Name] {
			t.Errorf("%s: %d samples of %s, want %d", c.Key(), h.Count, h.Name, samples[h.Name])
		}
	}
	for _, m := range line.Metrics {
		if m.Value <= 0 && m.Name != "late" && m.Name != "unsent" || m.Unit == "" || m.Better == "" {
			t.Errorf("%s: metric %+v", c.Key(), m)
		}
	}
}

func metricNames(l result.Line) (names []string) {
	for _, m := range l.Metrics {
		names = append(names, m.Name)
	}
	return names
}

func histogramNames(l result.Line) (names []string) {
	for _, h := range l.Histograms {
		names = append(names, h.Name)
	}
	return names
}

// TestScenariosLeaveOutWhatAStackDoesNotCarry counts the cases of stacks with and
// without bidi, and with and without a choice of connections.
func TestScenariosLeaveOutWhatAStackDoesNotCarry(t *testing.T) {
	for _, test := range []struct {
		scenario    string
		http1, grpc int
	}{
		{"unary", 12, 12}, {"open", 5, 5}, {"channels", 0, 4}, {"server-stream", 1, 1},
		{"client-stream", 2, 2}, {"bidi-pingpong", 0, 1}, {"bidi-flood", 0, 1}, {"idle", 1, 2},
	} {
		found, err := Named([]string{test.scenario})
		if err != nil {
			t.Fatal(err)
		}
		http1, grpc := found[0].Cases([]stack.Stack{overHTTP1()}), found[0].Cases([]stack.Stack{overGRPC()})
		if len(http1) != test.http1 || len(grpc) != test.grpc {
			t.Errorf("%s: %d cases over HTTP/1.1 and %d over gRPC, want %d and %d", test.scenario, len(http1), len(grpc), test.http1, test.grpc)
		}
	}
}

func TestCapacityIsThatOfTheServer(t *testing.T) {
	target := served(t, overGRPC())
	for _, s := range All {
		if s.Calibrate == nil {
			continue
		}
		if got, err := s.Calibrate(t.Context(), target); err != nil || got < 100 {
			t.Errorf("%s: capacity %g calls a second, error %v, want some hundreds at least", s.Name, got, err)
		}
	}
}
