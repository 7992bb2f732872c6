package scenario

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// scriptedMeter tells what the test says.
type scriptedMeter struct {
	readings []Reading
	syscalls map[Side]map[string]int64
	start    func(wrapper []string) (Setup, func() error, error)
	err      error
}

func (m *scriptedMeter) Read() (Reading, error) {
	if len(m.readings) == 0 {
		return Reading{}, m.err
	}
	next := m.readings[0]
	m.readings = m.readings[1:]
	return next, m.err
}

func (m *scriptedMeter) Syscalls(of Side, f func()) (map[string]int64, error) {
	f()
	return m.syscalls[of], m.err
}

func (m *scriptedMeter) Start(_ context.Context, wrapper ...string) (Setup, func() error, error) {
	fresh, stop, err := m.start(wrapper)
	fresh.Caller = nil // a server does not know who calls it
	return fresh, stop, err
}

// used is what a server and a client have used at three readings, of which each
// costs the server 7 allocations and the client 3.
func used(server, client int64) []Reading {
	at := func(allocs, clientAllocs, bytes int64) Reading {
		return Reading{
			Server: Totals{Allocs: allocs, UserNS: allocs * 1000},
			Client: Totals{Allocs: clientAllocs, Voluntary: 5},
			Ports:  []int{50123}, Sent: bytes, Received: 2 * bytes,
		}
	}
	return []Reading{at(100, 50, 1000), at(107, 53, 1000), at(114+server, 56+client, 1000+server)}
}

func TestReplacedConnectionHasNoBytes(t *testing.T) {
	readings := used(2000, 400)
	readings[2].Ports = []int{50124}
	target := served(t, overGRPC())
	target.Meter = &scriptedMeter{readings: readings}
	got := values(measured(t, cost, target, few(costCase(overGRPC(), greet.Unary, small, 1))))
	if _, ok := got["wire_bytes_per_call_sent"]; ok || got["allocations_per_call_server"] != 100 {
		t.Errorf("got %v, want the allocations and no bytes", got)
	}
}

func values(l result.Line) map[string]float64 {
	found := make(map[string]float64)
	for _, m := range l.Metrics {
		found[m.Name] = m.Value
	}
	return found
}

func TestCostIsWhatTheCallsUsed(t *testing.T) {
	for _, test := range []struct {
		of   result.Case
		want map[string]float64
	}{
		{costCase(overGRPC(), greet.Unary, small, 1), map[string]float64{
			"allocations_per_call_server": 100, "cpu_user_per_call_server": 100,
			"allocations_per_call_client": 20, "switches_voluntary_per_call_client": 0,
			"wire_bytes_per_call_sent": 100, "wire_bytes_per_call_received": 200,
		}},
		{costCase(overGRPC(), greet.ServerStream, small, 1), map[string]float64{
			"allocations_per_message_server": 2, "cpu_user_per_message_server": 2,
			"allocations_per_message_client": 0.4, "switches_voluntary_per_message_client": 0,
			"wire_bytes_per_message_sent": 2, "wire_bytes_per_message_received": 4,
		}},
	} {
		c := few(test.of)
		target := served(t, overGRPC())
		target.Meter = &scriptedMeter{readings: used(2000, 400)}
		line := measured(t, cost, target, c)
		if diff := cmp.Diff(test.want, values(line)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Key(), diff)
		}
	}
}

// TestCostOfEveryKindOfCall has every call succeed where nothing can be observed,
// and counts it.
func TestCostOfEveryKindOfCall(t *testing.T) {
	for _, s := range []stack.Stack{overGRPC(), overHTTP1()} {
		target := served(t, s)
		for _, c := range costCases([]stack.Stack{s}) {
			c = few(c)
			if c.Kind == startKind {
				c.Connections = 1 // to the one server that is there
			}
			line := measured(t, cost, target, c)
			if len(line.Metrics) > 0 {
				t.Errorf("%s: metrics %v of a server that cannot be observed", c.Key(), line.Metrics)
			}
			calls := int64(c.Calls)
			if c.Kind == syscallsKind {
				calls = 20
			}
			if line.Calls != calls || line.Sent == 0 || (line.Received == 0) != (c.Kind == refusedKind) {
				t.Errorf("%s: %d calls, %d sent, %d received, want %d calls", c.Key(), line.Calls, line.Sent, line.Received, calls)
			}
		}
	}
}

func TestFailedCallsHaveNoCost(t *testing.T) {
	unary := few(costCase(overGRPC(), greet.Unary, small, 1))
	refused := few(ofKind(refusedKind, costCase(overGRPC(), greet.ServerStream, small, 1)))
	none := func(int32) int32 { return 0 }
	for _, test := range []struct {
		name   string
		server faulty
		of     result.Case
		code   string
	}{
		{"refuses every call", faulty{before: refuse}, unary, "unavailable"},
		{"wrong text", faulty{hello: misspell}, unary, "wrong_reply"},
		{"a clean end in place of an error", faulty{count: none}, refused, "wrong_reply"},
		{"greetings in place of an error", faulty{count: func(int32) int32 { return 3 }}, refused, "wrong_reply"},
		{"another error", faulty{before: refuse}, refused, "unavailable"},
		{"the right code with a wrong text", faulty{count: none, end: status.Error(codes.InvalidArgument, "no")}, refused, "wrong_reply"},
	} {
		target := servedBy(t, test.server)
		target.Meter = &scriptedMeter{readings: used(2000, 400)}
		line, err := cost.Measure(t.Context(), target, test.of)
		if err != nil || line.Errors[test.code] == 0 || line.Calls > 0 || len(line.Metrics) > 0 {
			t.Errorf("%s: %d calls, errors %v (%s), metrics %v, %v, want %s and no number",
				test.name, line.Calls, line.Errors, line.FirstError, line.Metrics, err, test.code)
		}
	}
}

func TestSyscallsByName(t *testing.T) {
	target := served(t, overGRPC())
	target.Meter = &scriptedMeter{syscalls: map[Side]map[string]int64{
		ServerSide: {"read": 60, "write": 20, "madvise": 1},
		ClientSide: {"futex": 40},
	}}
	line := measured(t, cost, target, few(ofKind(syscallsKind, costCase(overGRPC(), greet.Unary, small, 1))))
	want := map[string]float64{
		"syscalls_per_call_server": 4.05, "syscalls_per_call_server_read": 3, "syscalls_per_call_server_write": 1,
		"syscalls_per_call_server_madvise": 0.05,
		"syscalls_per_call_client":         2, "syscalls_per_call_client_futex": 2,
	}
	if diff := cmp.Diff(want, values(line)); diff != "" || line.Calls != 40 {
		t.Errorf("%d calls, want 40 in two windows; (-want +got):\n%s", line.Calls, diff)
	}
}

func TestColdStartCountsFromNothing(t *testing.T) {
	fresh := served(t, overGRPC())
	fresh.Meter = &scriptedMeter{readings: []Reading{{Server: Totals{Allocs: 4000, UserNS: 2_000_000}}}}
	stopped := 0
	target := Setup{Server: calls.Server{Stack: overGRPC()}, Caller: Own(overGRPC()), Meter: &scriptedMeter{start: func([]string) (Setup, func() error, error) {
		return fresh, func() error { stopped++; return nil }, nil
	}}}
	line := measured(t, cost, target, startCase(overGRPC()))
	got := values(line)
	if got["allocations_start_server"] != 4000 || got["cpu_user_start_server"] != 2000 || line.Calls != 1 || stopped != 1 {
		t.Errorf("%d calls, %v, stopped %d times, want 1 call and what the server had used", line.Calls, got, stopped)
	}
	if got["start_to_listening"] <= 0 || got["start_to_first_reply"] < got["start_to_listening"] {
		t.Errorf("listening after %g ms, first reply after %g", got["start_to_listening"], got["start_to_first_reply"])
	}
	broken := errors.New("broken")
	target.Meter = &scriptedMeter{start: func([]string) (Setup, func() error, error) { return Setup{}, nil, broken }}
	if _, err := cost.Measure(t.Context(), target, startCase(overGRPC())); !errors.Is(err, broken) {
		t.Errorf("error %v, want the one of the start", err)
	}
}

// TestInstructionsAreWhatTwiceTheCallsAdd has servers that count 1,000 at their
// start and 50 for each call.
func TestInstructionsAreWhatTwiceTheCallsAdd(t *testing.T) {
	c := few(ofKind(instructionsKind, costCase(overGRPC(), greet.Unary, small, 1)))
	c.Connections = 0
	counts := []string{"summary: 2000\n", "summary: 3000\n"}
	fresh := served(t, overGRPC())
	target := Setup{Server: calls.Server{Stack: overGRPC()}, Caller: Own(overGRPC()), Meter: &scriptedMeter{start: func(wrapper []string) (Setup, func() error, error) {
		_, file, _ := strings.Cut(strings.Join(wrapper, " "), "--callgrind-out-file=")
		text := counts[0]
		counts = counts[1:]
		return fresh, func() error { return os.WriteFile(file, []byte("totals: 1\n"+text), 0o600) }, nil
	}}}
	line := measured(t, cost, target, c)
	want := map[string]float64{"instructions_per_call_server": 50, "instructions_start_server": 1000}
	if diff := cmp.Diff(want, values(line)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := parseInstructions([]byte("nothing")); err == nil {
		t.Error("a file without a sum has one")
	}
}
