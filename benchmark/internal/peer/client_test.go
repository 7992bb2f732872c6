package peer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
)

// answering is a peer's process that answers each request with a text, and keeps the
// last one.
type answering struct {
	text  string
	err   error
	asked string
}

func (a *answering) Ask(ctx context.Context, request, reply any, _ time.Duration) error {
	text, err := json.Marshal(request)
	a.asked = string(text)
	return errors.Join(err, a.err, ctx.Err(), json.Unmarshal([]byte(a.text), reply))
}

func (*answering) PID() int                 { return 1 }
func (*answering) Stop(time.Duration) error { return nil }

// run has a client whose process answers so make the calls.
func (a *answering) run(ctx context.Context, t *testing.T, w calls.Work, p load.Plan) (load.Tally, int64, error) {
	t.Helper()
	server := calls.Server{Addr: "127.0.0.1:1"}
	client := &Client{name: "tonic", running: map[string]asker{server.Addr: a}}
	session, err := client.Open(server, w)
	if err != nil {
		t.Fatal(err)
	}
	tally, err := session.Run(ctx, p, calls.Record{})
	return tally, session.Connections(), errors.Join(err, session.Close(), client.Close())
}

var (
	twoThousand = load.Plan{Calls: 2000, Warmup: 200, Deadline: 10 * time.Second}
	unary       = calls.Work{Mode: greet.Unary, Payload: 16, Messages: 1, Concurrency: 16, Connections: 1}
)

func TestClientAsks(t *testing.T) {
	for _, tt := range []struct {
		work         calls.Work
		plan         load.Plan
		asked, reply string
		calls        int64
		window       time.Duration
	}{
		{
			unary, twoThousand,
			`{"mode":"unary","concurrency":16,"connections":1,"payload_bytes":16,"messages":1,"calls":2000,"warmup_calls":200,"window_ns":0,"deadline_ns":10000000000}`,
			`{"calls":2000,"messages_sent":2000,"messages_received":2000,"window_ns":500000000,"connections_opened":1,"latencies_ns":[` + strings.Repeat("1000,", 1999) + `1000]}`,
			2000, 500 * time.Millisecond,
		},
		{
			calls.Work{Mode: greet.Bidi, Payload: 1024, Messages: 5000, Concurrency: 1, Connections: 1},
			load.Plan{Calls: 1, Warmup: 1, Deadline: 10 * time.Second},
			`{"mode":"bidi","concurrency":1,"connections":1,"payload_bytes":1024,"messages":5000,"calls":1,"warmup_calls":1,"window_ns":0,"deadline_ns":10000000000}`,
			`{"calls":1,"messages_sent":5000,"messages_received":5000,"window_ns":500000000,"connections_opened":1,"latencies_ns":[500000000]}`,
			1, 500 * time.Millisecond,
		},
		{
			calls.Work{Mode: greet.ClientStream, Payload: 16, Messages: 10, Concurrency: 8, Connections: 1},
			load.Plan{Window: time.Second, Warmup: 100, Deadline: 10 * time.Second},
			`{"mode":"client_stream","concurrency":8,"connections":1,"payload_bytes":16,"messages":10,"calls":0,"warmup_calls":100,"window_ns":1000000000,"deadline_ns":10000000000}`,
			`{"calls":2,"messages_sent":20,"messages_received":2,"window_ns":1000000001,"connections_opened":1,"latencies_ns":[7,8]}`,
			2, time.Second,
		},
	} {
		process := &answering{text: tt.reply}
		got, opened, err := process.run(t.Context(), t, tt.work, tt.plan)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.asked, process.asked); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
		if got.Calls != tt.calls || got.Window != tt.window || got.Failures() > 0 || opened != 1 ||
			got.Latency.TotalCount() != tt.calls || got.Warmed.Calls != tt.plan.Warmup {
			t.Errorf("%s: %d calls in %v over %d connections, %d latencies, %d to warm up, errors %v",
				tt.work.Mode, got.Calls, got.Window, opened, got.Latency.TotalCount(), got.Warmed.Calls, got.Errors)
		}
	}
}

// TestClientIsDoubted wants an answer that cannot be to count as no success.
func TestClientIsDoubted(t *testing.T) {
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
		got, _, err := (&answering{text: text}).run(t.Context(), t, unary, twoThousand)
		if err != nil || got.Calls != 0 || got.Errors[calls.ClientFailedCode] != 1 || !strings.Contains(got.Text, tt.want) {
			t.Errorf("%s: error %v, %d calls, errors %v, %q; want %q", tt.what, err, got.Calls, got.Errors, got.Text, tt.want)
		}
	}
}

// TestClientCountsFailures takes no figure from the calls that failed.
func TestClientCountsFailures(t *testing.T) {
	process := &answering{text: `{"calls":0,"errors":{"unavailable":100},"first_error":"connection refused"}`}
	got, _, err := process.run(t.Context(), t, unary, twoThousand)
	if err != nil || got.Errors["unavailable"] != 100 || got.Text != "connection refused" || got.Latency.TotalCount() > 0 {
		t.Errorf("error %v, errors %v, %q; want 100 unavailable and no latency", err, got.Errors, got.Text)
	}
	process = &answering{text: `{}`, err: errors.New("it has ended")}
	got, _, err = process.run(t.Context(), t, unary, twoThousand)
	if err != nil || got.Errors[calls.ClientFailedCode] != 1 || got.Text != "it has ended" {
		t.Errorf("error %v, errors %v, %q; want that the client has ended", err, got.Errors, got.Text)
	}
}

func TestClientIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := (&answering{text: `{}`}).run(ctx, t, unary, twoThousand); !errors.Is(err, load.ErrInterrupted) {
		t.Errorf("error %v, want %v", err, load.ErrInterrupted)
	}
}
