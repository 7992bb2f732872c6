package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/bare"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

// TestFloorMeasures has the floor's driver measure every case that it can, on servers
// of other libraries.
func TestFloorMeasures(t *testing.T) {
	for _, called := range []stack.Stack{overGRPC(), connectgo.New(stack.Connect, stack.H2C, "proto"), overHTTP1()} {
		t.Run(called.Name.String(), func(t *testing.T) { floorMeasures(t, called) })
	}
}

func floorMeasures(t *testing.T, called stack.Stack) {
	setup := served(t, called)
	setup.Caller = floor.Caller{}
	for _, s := range Where(func(s Scenario) bool { return !s.OwnClient && s.Name != familyName && s.Name != codecName }) {
		for _, c := range s.Cases([]stack.Stack{called}) {
			if setup.Caller.Refuses(called, greet.Mode(c.Mode)) != "" {
				continue
			}
			if c.Payload > 1<<20 || s.Name == channelsName && c.Connections > 2 {
				continue // more of the same
			}
			line := measured(t, s, setup, few(c))
			if want, ok := figures[s.Name]; ok {
				if diff := cmp.Diff(want.metrics, metricNames(line)); diff != "" {
					t.Errorf("%s: metrics (-want +got):\n%s", c.Key(), diff)
				}
			}
			if err := opened(called, few(c), line.Opened); err != nil {
				t.Errorf("%s: %v", c.Key(), err)
			}
		}
	}
}

// opened says what is wrong with the number of connections. Over HTTP/1.1 a few calls may
// all be made before the last connection is open.
func opened(called stack.Stack, c result.Case, got int64) error {
	want := int64(c.Connections)
	early := called.Name.Transport == stack.H1 && c.Calls > 0 && got >= 1 && got < want
	if want == 0 || got == want || early {
		return nil
	}
	return fmt.Errorf("opened %d connections, want %d", got, want)
}

// TestCalibrateUsesTheCaller has the capacity measured by the client that the load
// comes from.
func TestCalibrateUsesTheCaller(t *testing.T) {
	setup := served(t, overGRPC())
	caller := &opening{}
	setup.Caller = caller
	capacity, err := open.Calibrate(t.Context(), setup)
	if err != nil || capacity <= 0 || caller.opened != 1 {
		t.Errorf("capacity %v, error %v, opened %d times by the caller", capacity, err, caller.opened)
	}
}

// opening is the floor's caller, which counts its sessions.
type opening struct {
	floor.Caller
	opened int
}

func (c *opening) Open(s calls.Server, w calls.Work) (calls.Session, error) {
	c.opened++
	return c.Caller.Open(s, w)
}

// TestRungsTakePart finds the rung over TCP in the scenarios that move bytes in the four
// modes, and the one within the process in the ladder alone.
func TestRungsTakePart(t *testing.T) {
	modes := []string{familyName, unaryName, serverStreamName, clientStreamName, bidiPingPongName, bidiFloodName}
	for _, s := range All {
		ladder := s.Name == fixedCostName
		for rung, want := range map[string]bool{
			"bare/bytes/tcp":   ladder || slices.Contains(modes, s.Name),
			"bare/call/inproc": ladder,
		} {
			got := slices.ContainsFunc(s.Cases(bare.Stacks()), func(c result.Case) bool { return c.Stack == rung })
			if got != want {
				t.Errorf("%s measures %s: %v, want %v", s.Name, rung, got, want)
			}
		}
	}
}

// answering is a caller in another process that answers each question with a text.
type answering struct {
	floor.Caller
	text  string
	err   error
	asked string // the last question
}

func (a *answering) Ask(ctx context.Context, _ calls.Server, request, reply any, _ time.Duration) error {
	text, err := json.Marshal(request)
	a.asked = string(text)
	return errors.Join(err, a.err, ctx.Err(), json.Unmarshal([]byte(a.text), reply))
}

func TestPeerMeasuresItsCodec(t *testing.T) {
	of := result.Case{Stack: "tonic", Language: "rust", Libraries: []string{"prost v0.14"}}
	cases := codec.PeerCases(of)
	c := cases[slices.IndexFunc(cases, func(c result.Case) bool { return c.Direction == unmarshal })]
	if c.Stack != of.Stack || c.Language != of.Language || c.Client != "none" {
		t.Errorf("case %+v, want one of %+v", c, of)
	}
	client := &answering{text: `{"calls":1000,"window_ns":100000000}`}
	line, err := codec.Measure(t.Context(), Setup{Caller: client}, c)
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
		if line, err := codec.Measure(t.Context(), Setup{Caller: &answering{text: text}}, c); err != nil || line.Errors[calls.ClientFailedCode] != 1 {
			t.Errorf("%s: error %v, errors %v, want that the client failed", text, err, line.Errors)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := codec.Measure(ctx, Setup{Caller: client}, c); !errors.Is(err, load.ErrInterrupted) {
		t.Errorf("error %v, want %v", err, load.ErrInterrupted)
	}
}

// TestOwnClientIsNeeded has a scenario that holds its calls in this process refuse
// another caller.
func TestOwnClientIsNeeded(t *testing.T) {
	setup := served(t, overGRPC())
	setup.Caller = floor.Caller{}
	c := idle.Cases([]stack.Stack{overGRPC()})[0]
	if _, err := idle.Measure(t.Context(), setup, c); err == nil {
		t.Errorf("%s measured %s by the floor's driver", idle.Name, greet.Mode(c.Mode))
	}
}
