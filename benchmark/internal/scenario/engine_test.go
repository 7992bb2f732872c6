package scenario

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/bare"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// driving is the floor's engine, which refuses all but gRPC over h2c.
var driving = Engine{
	Name: "floor",
	Refuses: func(n stack.Name) string {
		if n.Protocol != stack.GRPC || n.Transport != stack.H2C {
			return "another protocol"
		}
		return ""
	},
	Dial: func(_ stack.Name, addr, name string, connections int) (EngineDriver, error) {
		return floor.NewDriver(addr, stack.GRPC, calls.Work{Mode: greet.Unary, Payload: len(name), Messages: 1, Connections: connections})
	},
}

// TestByMeasures has the engine measure every case that it can, on a server of
// another library.
func TestByMeasures(t *testing.T) {
	target := served(t, overGRPC())
	for _, s := range All {
		driven := By(driving, s)
		for _, c := range driven.Cases([]stack.Stack{overGRPC(), overHTTP1()}) {
			if c.Stack != overGRPC().Name.String() || c.Client != "floor" || c.Mode != "unary" {
				t.Errorf("%s: case %s, want unary calls of grpc-go by the floor", s.Name, c.Key())
			}
			if c.Payload > 1<<20 || s.Name == channelsName && c.Connections > 2 {
				continue // more of the same
			}
			line := measured(t, driven, target, few(c))
			if len(line.Metrics) == 0 || line.Opened != int64(c.Connections) {
				t.Errorf("%s: metrics %v over %d connections, want %d", c.Key(), metricNames(line), line.Opened, c.Connections)
			}
		}
	}
}

// TestByCalibrates has the capacity measured by the client that the load comes from.
func TestByCalibrates(t *testing.T) {
	e := driving
	dialled := 0
	e.Dial = func(s stack.Name, addr, name string, connections int) (EngineDriver, error) {
		dialled++
		return driving.Dial(s, addr, name, connections)
	}
	capacity, err := By(e, open).Calibrate(t.Context(), served(t, overGRPC()))
	if err != nil || capacity <= 0 || dialled != 1 {
		t.Errorf("capacity %v, error %v, dialled %d times by the engine", capacity, err, dialled)
	}
}

func TestEngineSkips(t *testing.T) {
	stacks := []stack.Stack{overGRPC(), overHTTP1()}
	if diff := cmp.Diff([]string{"connect-go/connect/h1 with the floor client: another protocol"}, driving.Skips(unary, stacks)); diff != "" {
		t.Errorf("unary (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"idle: the floor client makes unary calls alone"}, driving.Skips(idle, stacks)); diff != "" {
		t.Errorf("idle (-want +got):\n%s", diff)
	}
}

// TestRungsAreForTheLadderAlone keeps stacks that are no RPC out of the scenarios
// that compare libraries.
func TestRungsAreForTheLadderAlone(t *testing.T) {
	for _, s := range All {
		called := slices.ContainsFunc(s.Cases(bare.Stacks()), func(c result.Case) bool {
			return c.Stack == bare.Stacks()[0].Name.String()
		})
		if want := s.Name == fixedCostName; called != want {
			t.Errorf("%s measures rungs: %v, want %v", s.Name, called, want)
		}
	}
}
