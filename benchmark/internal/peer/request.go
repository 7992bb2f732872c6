package peer

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/internal/greet"
)

// request asks a client for a slice. docs/peer-protocol.md says what its
// fields mean.
type request struct {
	Mode        string `json:"mode"`
	Concurrency int    `json:"concurrency"`
	Connections int    `json:"connections"`
	Payload     int    `json:"payload_bytes"`
	Messages    int    `json:"messages"`
	Calls       int64  `json:"calls"`
	Warmup      int64  `json:"warmup_calls"`
	WindowNS    int64  `json:"window_ns"`
	DeadlineNS  int64  `json:"deadline_ns"`
}

// reply is its answer.
type reply struct {
	Error      string           `json:"error"` // why it did not even try
	Calls      int64            `json:"calls"`
	Sent       int64            `json:"messages_sent"`
	Received   int64            `json:"messages_received"`
	WindowNS   int64            `json:"window_ns"`
	Opened     int64            `json:"connections_opened"`
	Errors     map[string]int64 `json:"errors"`
	FirstError string           `json:"first_error"`
	Latencies  []int64          `json:"latencies_ns"` // of each call that counts
}

func newRequest(w calls.Work, p load.Plan) request {
	r := request{
		Mode: string(w.Mode), Concurrency: w.Concurrency, Connections: w.Connections, Payload: w.Payload, Messages: w.Messages,
		Calls: p.Calls, Warmup: p.Warmup, DeadlineNS: p.Deadline.Nanoseconds(),
	}
	if p.Calls == 0 {
		r.WindowNS = p.Window.Nanoseconds()
	}
	return r
}

var codePattern = regexp.MustCompile(`^[a-z0-9_]+$`)

// check returns an error if the reply contradicts the request or itself.
func (r reply) check(to request) error {
	failures := r.failures()
	switch {
	case r.Error != "":
		return fmt.Errorf("it refused: %s", r.Error)
	case failures < 0 || r.Calls < 0 || r.Opened < 0:
		return errors.New("its answer has a negative count, or an error without a code")
	case int64(len(r.Latencies)) != r.Calls:
		return fmt.Errorf("its answer has %d latencies for %d calls", len(r.Latencies), r.Calls)
	case to.Calls > 0 && failures == 0 && r.Calls != to.Calls, to.Calls > 0 && r.Calls+failures > to.Calls+to.Warmup:
		return fmt.Errorf("its answer has %d calls and %d errors, want %d calls", r.Calls, failures, to.Calls)
	case to.Calls > 0 && r.Calls > 0 && r.WindowNS <= 0:
		return fmt.Errorf("its answer has a window of %d ns", r.WindowNS)
	}
	sent, received := to.messages()
	if r.Sent != r.Calls*sent || r.Received != r.Calls*received {
		return fmt.Errorf("its answer has %d messages sent and %d received in %d calls, want %d and %d in each",
			r.Sent, r.Received, r.Calls, sent, received)
	}
	return nil
}

// failures counts the calls that failed. It is -1 if a code or a count is not valid.
func (r reply) failures() (n int64) {
	for code, count := range r.Errors {
		if count < 1 || !codePattern.MatchString(code) {
			return -1
		}
		n += count
	}
	return n
}

// messages is how many each call sends and receives.
func (r request) messages() (sent, received int64) {
	sent, received = 1, 1
	if m := greet.Mode(r.Mode); m == greet.ClientStream || m == greet.Bidi {
		sent = int64(r.Messages)
	}
	if m := greet.Mode(r.Mode); m == greet.ServerStream || m == greet.Bidi {
		received = int64(r.Messages)
	}
	return sent, received
}

func (r reply) tally(p load.Plan) load.Tally {
	t := load.Tally{
		Calls: r.Calls, Sent: r.Sent, Received: r.Received,
		Errors: r.Errors, Text: r.FirstError, Window: time.Duration(r.WindowNS), Latency: load.NewHistogram(),
		Warmed: load.Warmed{Calls: p.Warmup},
	}
	if p.Calls == 0 {
		t.Window = p.Window
	}
	for _, ns := range r.Latencies {
		load.Record(t.Latency, time.Duration(max(ns, 0)))
	}
	return t
}
