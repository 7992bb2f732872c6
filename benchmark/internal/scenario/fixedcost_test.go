package scenario

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/stack/bare"
	"example.com/greet/internal/stack"
)

// counting is a meter of a server that allocates seven times for each reading.
type counting struct {
	Meter
	readings int64
}

func (c *counting) Read() (Reading, error) {
	c.readings++
	return Reading{Server: Totals{Allocs: 7 * c.readings}}, nil
}

func TestFixedCostCountsAllocations(t *testing.T) {
	target := served(t, overGRPC())
	target.Meter = new(counting)
	c := few(fixedCost.Cases([]stack.Stack{target.Stack})[0])
	line := measured(t, fixedCost, target, c)
	want := []string{"time_per_call", "median_call", "client_allocations", "server_allocations"}
	if diff := cmp.Diff(want, metricNames(line)); diff != "" {
		t.Fatalf("metrics (-want +got):\n%s", diff)
	}
	if got, want := line.Metrics[3].Value, 7/float64(c.Calls); got != want {
		t.Errorf("server allocations: %v a call, want %v", got, want)
	}
	if got := line.Metrics[2].Value; got < 10 {
		t.Errorf("client allocations: %v a call; a client of grpc-go makes dozens", got)
	}
}

// TestFixedCostOfRungs measures what has no RPC: over TCP, and in process.
func TestFixedCostOfRungs(t *testing.T) {
	for _, s := range bare.Stacks() {
		target := Setup{Server: calls.Server{Stack: s}, Caller: Own(s)}
		if s.Serve != nil {
			target = served(t, s)
		}
		c := fixedCost.Cases([]stack.Stack{s})[0]
		line, err := fixedCost.Measure(t.Context(), target, c)
		if err != nil || line.Calls != int64(c.Calls) || len(line.Errors) > 0 || line.Opened != int64(c.Connections) {
			t.Errorf("%s: %d calls over %d connections, errors %v, error %v", s.Name, line.Calls, line.Opened, line.Errors, err)
		}
	}
}
