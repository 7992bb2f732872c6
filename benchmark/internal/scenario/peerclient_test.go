package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// answering is a peer's client that answers each request with a text, and keeps the
// last one.
type answering struct {
	text  string
	err   error
	asked string
}

func (a *answering) Ask(ctx context.Context, request, reply any, _ time.Duration) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	a.asked = string(text)
	if a.err != nil {
		return a.err
	}
	return errors.Join(ctx.Err(), json.Unmarshal([]byte(a.text), reply))
}

// askedOf measures the first case of the scenario that wanted matches, by a client
// that answers with the text.
func askedOf(t *testing.T, s Scenario, a *answering, wanted func(result.Case) bool) (result.Line, error) {
	t.Helper()
	for _, c := range s.Cases([]stack.Stack{overGRPC()}) {
		if wanted(c) {
			target := Target{Stack: overGRPC(), Window: time.Second, Peers: map[string]PeerClient{"tonic": a}}
			return s.Measure(t.Context(), target, c)
		}
	}
	t.Fatalf("%s has no such case", s.Name)
	return result.Line{}, nil
}

func TestByPeerAsks(t *testing.T) {
	for _, tt := range []struct {
		s            Scenario
		wanted       func(result.Case) bool
		asked, reply string
		want         []result.Metric
	}{
		{
			family, func(c result.Case) bool { return c.Concurrency == 16 },
			`{"mode":"unary","concurrency":16,"connections":1,"payload_bytes":16,"messages":1,"calls":2000,"warmup_calls":200,"window_ns":0,"deadline_ns":10000000000}`,
			`{"calls":2000,"messages_sent":2000,"messages_received":2000,"window_ns":500000000,"connections_opened":1,"latencies_ns":[` + strings.Repeat("1000,", 1999) + `1000]}`,
			[]result.Metric{{Name: "rate", Unit: "req/s", Better: "higher", Value: 4000}},
		},
		{
			family, func(c result.Case) bool { return c.Mode == string(greet.Bidi) },
			`{"mode":"bidi","concurrency":1,"connections":1,"payload_bytes":1024,"messages":5000,"calls":1,"warmup_calls":1,"window_ns":0,"deadline_ns":10000000000}`,
			`{"calls":1,"messages_sent":5000,"messages_received":5000,"window_ns":500000000,"connections_opened":1,"latencies_ns":[500000000]}`,
			[]result.Metric{{Name: "message_rate", Unit: "msg/s", Better: "higher", Value: 10000}},
		},
		{
			clientStream, func(c result.Case) bool { return c.Concurrency == 8 },
			`{"mode":"client_stream","concurrency":8,"connections":1,"payload_bytes":16,"messages":10,"calls":0,"warmup_calls":100,"window_ns":1000000000,"deadline_ns":10000000000}`,
			`{"calls":2,"messages_sent":20,"messages_received":2,"window_ns":1000000001,"connections_opened":1,"latencies_ns":[7,8]}`,
			[]result.Metric{{Name: "time_per_call", Unit: "µs", Better: "lower", Value: 500_000}},
		},
	} {
		client := &answering{text: tt.reply}
		line, err := askedOf(t, ByPeer("tonic", tt.s), client, tt.wanted)
		if err != nil || client.asked != tt.asked {
			t.Errorf("error %v, asked\n%s\nwant\n%s", err, client.asked, tt.asked)
		}
		if diff := cmp.Diff(tt.want, line.Metrics); diff != "" || line.Opened != 1 || len(line.Errors) > 0 {
			t.Errorf("%s: opened %d, errors %v, metrics (-want +got):\n%s", tt.s.Name, line.Opened, line.Errors, diff)
		}
	}
}

// TestByPeerDoubts wants an answer that cannot be to count as no success.
func TestByPeerDoubts(t *testing.T) {
	const good = `{"calls":2000,"messages_sent":2000,"messages_received":2000,"window_ns":1,"connections_opened":1,"errors":{},"latencies_ns":[5]}`
	for _, tt := range []struct{ what, old, changed, want string }{
		{"a refusal", `{`, `{"error":"no such mode",`, "it refused: no such mode"},
		{"too few latencies", ``, ``, "1 latencies for 2000 calls"},
		{"too few calls", `"calls":2000`, `"calls":1`, "1 calls and 0 errors, want 2000 calls"},
		{"a negative count", `"calls":2000`, `"calls":-1`, "a negative count"},
		{"no window", `"window_ns":1`, `"window_ns":0`, "a window of 0 ns"},
		{"too few messages", `"messages_received":2000`, `"messages_received":1999`, "2000 messages sent and 1999 received"},
		{"an error without a name", `{}`, `{"":1}`, "an error without a code"},
	} {
		text := strings.Replace(good, tt.old, tt.changed, 1)
		if strings.Contains(text, `"calls":2000`) && tt.what != "too few latencies" {
			text = strings.Replace(text, "[5]", "["+strings.Repeat("5,", 1999)+"5]", 1)
		}
		line, err := askedOf(t, ByPeer("tonic", family), &answering{text: text}, func(c result.Case) bool { return c.Concurrency == 1 })
		if err != nil || line.Calls != 0 || line.Errors[ClientFailed] != 1 || !strings.Contains(line.FirstError, tt.want) {
			t.Errorf("%s: error %v, %d calls, errors %v, %q; want %q", tt.what, err, line.Calls, line.Errors, line.FirstError, tt.want)
		}
	}
}

// TestByPeerCountsFailures takes no figure from the calls that failed.
func TestByPeerCountsFailures(t *testing.T) {
	client := &answering{text: `{"calls":0,"errors":{"unavailable":100},"first_error":"connection refused"}`}
	line, err := askedOf(t, ByPeer("tonic", family), client, func(c result.Case) bool { return c.Concurrency == 1 })
	if err != nil || line.Errors["unavailable"] != 100 || line.FirstError != "connection refused" || len(line.Metrics) > 0 {
		t.Errorf("error %v, errors %v, %q, metrics %v; want 100 unavailable and no figure", err, line.Errors, line.FirstError, line.Metrics)
	}
	client = &answering{err: errors.New("it has ended")}
	line, err = askedOf(t, ByPeer("tonic", family), client, func(c result.Case) bool { return c.Concurrency == 1 })
	if err != nil || line.Errors[ClientFailed] != 1 || line.FirstError != "it has ended" {
		t.Errorf("error %v, errors %v, %q; want that the client has ended", err, line.Errors, line.FirstError)
	}
}

func TestByPeerIsInterrupted(t *testing.T) {
	s := ByPeer("tonic", family)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	target := Target{Stack: overGRPC(), Peers: map[string]PeerClient{"tonic": new(answering)}}
	if _, err := s.Measure(ctx, target, s.Cases([]stack.Stack{overGRPC()})[0]); !errors.Is(err, load.ErrInterrupted) {
		t.Errorf("error %v, want %v", err, load.ErrInterrupted)
	}
	if _, err := s.Measure(t.Context(), Target{Stack: overGRPC()}, s.Cases([]stack.Stack{overGRPC()})[0]); err == nil {
		t.Error("a client that is not there was asked")
	}
}

func TestPeerCodec(t *testing.T) {
	s := PeerCodec("tonic", "rust", []string{"prost v0.14"})
	client := &answering{text: `{"calls":1000,"window_ns":100000000}`}
	line, err := askedOf(t, s, client, func(c result.Case) bool { return c.Direction == unmarshal })
	if want := `{"codec":"unmarshal","payload_bytes":65536,"window_ns":100000000}`; err != nil || client.asked != want {
		t.Errorf("error %v, asked %s, want %s", err, client.asked, want)
	}
	want := []result.Metric{
		{Name: "throughput", Unit: "MB/s", Better: "higher", Value: 655.36},
		{Name: "time_per_op", Unit: "ns", Better: "lower", Value: 100_000},
	}
	if diff := cmp.Diff(want, line.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	for _, text := range []string{`{"error":"no"}`, `{"calls":1,"window_ns":1}`, `{}`} {
		if line, err := askedOf(t, s, &answering{text: text}, func(result.Case) bool { return true }); err != nil || line.Errors[ClientFailed] != 1 {
			t.Errorf("%s: error %v, errors %v, want that the client failed", text, err, line.Errors)
		}
	}
}
