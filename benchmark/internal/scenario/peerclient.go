package scenario

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// PeerClient is a peer's benchmark client, in a process of its own, which calls the
// server of one target.
type PeerClient interface {
	// Ask puts a request and reads the reply to it, both as JSON. The error says what
	// kept the client from answering in time.
	Ask(ctx context.Context, request, reply any, patience time.Duration) error
}

// answerPatience is how long a client may take for a slice: its start, if this is the
// first, the warm-up, the window, and the deadline of the last calls.
const answerPatience = time.Minute

// ClientFailed is the code of a slice for which a peer's client has no answer, or
// one that cannot be.
const ClientFailed = "client_failed"

// ByPeer is the scenario with a peer's client, which each target must have under that
// name, in the place of each stack's own.
func ByPeer(client string, s Scenario) Scenario {
	own := s
	s.Calibrate = nil
	s.Cases = func(stacks []stack.Stack) []result.Case {
		if !own.Peers {
			return nil
		}
		cases := own.Cases(stacks)
		for i := range cases {
			cases[i].Client = client
		}
		return cases
	}
	s.Measure = func(ctx context.Context, t Target, c result.Case) (result.Line, error) {
		if t.peer = t.Peers[client]; t.peer == nil {
			return result.Line{}, fmt.Errorf("nothing calls %s as the client %s", c.Stack, client)
		}
		return own.Measure(ctx, t, c)
	}
	return s
}

// peerRequest asks a peer's client for a slice. CONTRIBUTING.md says what its fields
// mean.
type peerRequest struct {
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

// peerReply is what it answers.
type peerReply struct {
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

// ask has the peer's client of the target measure the slice.
func (s slice) ask(ctx context.Context, t Target, c result.Case) (result.Line, error) {
	plan := s.plan(t, c)
	request := peerRequest{
		Mode: c.Mode, Concurrency: c.Concurrency, Connections: c.Connections, Payload: c.Payload, Messages: c.Messages,
		Calls: plan.Calls, Warmup: plan.Warmup, DeadlineNS: plan.Deadline.Nanoseconds(),
	}
	if plan.Calls == 0 {
		request.WindowNS = plan.Window.Nanoseconds()
	}
	var reply peerReply
	if failed, err := askPeer(ctx, t.peer, request, &reply, func() error { return reply.check(request) }); failed != nil || err != nil {
		return clientFailed(failed), err
	}
	line, err := lineOf(reply.tally(plan), s.prepare(nil), c)
	line.WarmupCalls, line.Opened = s.warmup, reply.Opened
	return line, err
}

// askPeer returns what the client failed with, or load.ErrInterrupted.
func askPeer(ctx context.Context, client PeerClient, request, reply any, check func() error) (failed, err error) {
	failed = client.Ask(ctx, request, reply, answerPatience)
	if ctx.Err() != nil {
		return nil, load.ErrInterrupted
	}
	if failed == nil {
		failed = check()
	}
	return failed, nil
}

// clientFailed is the line of a slice of which nothing is known but that.
func clientFailed(err error) result.Line {
	if err == nil {
		return result.Line{}
	}
	return result.Line{Errors: map[string]int64{ClientFailed: 1}, FirstError: err.Error()}
}

var codePattern = regexp.MustCompile(`^[a-z0-9_]+$`)

// check says what cannot be about a reply.
func (r peerReply) check(to peerRequest) error {
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

// failures is -1 if there is one that cannot be.
func (r peerReply) failures() (n int64) {
	for code, count := range r.Errors {
		if count < 1 || !codePattern.MatchString(code) {
			return -1
		}
		n += count
	}
	return n
}

// messages is how many each call sends and receives.
func (r peerRequest) messages() (sent, received int64) {
	sent, received = 1, 1
	if m := greet.Mode(r.Mode); m == greet.ClientStream || m == greet.Bidi {
		sent = int64(r.Messages)
	}
	if m := greet.Mode(r.Mode); m == greet.ServerStream || m == greet.Bidi {
		received = int64(r.Messages)
	}
	return sent, received
}

func (r peerReply) tally(plan load.Plan) load.Tally {
	t := load.Tally{
		Calls: r.Calls, Sent: r.Sent, Received: r.Received,
		Errors: r.Errors, Text: r.FirstError, Window: time.Duration(r.WindowNS), Latency: load.NewHistogram(),
	}
	if plan.Calls == 0 {
		t.Window = plan.Window
	}
	for _, ns := range r.Latencies {
		load.Record(t.Latency, time.Duration(max(ns, 0)))
	}
	return t
}
