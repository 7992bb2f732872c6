package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/floor"
)

func TestWhoCalls(t *testing.T) {
	scenarios := []string{"unary", "fixed-cost", "bidi-flood", "idle"}
	stacks := []string{"grpc-go/grpc/h2c", "connect-go/grpcweb/h2c"}
	floorRefuses := []string{
		"connect-go/grpcweb/h2c with the floor client: it speaks gRPC and Connect over h2c, and Connect over h1, alone",
		"idle with the floor client: only a stack's own client makes its calls",
	}
	for _, tt := range []struct {
		clients []string
		want    map[string]string // the clients of a scenario's cases of grpc-go
		skipped []string
	}{
		{nil, map[string]string{"unary": "own", "fixed-cost": "floor own", "bidi-flood": "own", "idle": "own"}, nil},
		{[]string{"own"}, map[string]string{"unary": "own", "fixed-cost": "own", "bidi-flood": "own", "idle": "own"}, nil},
		{[]string{"floor"}, map[string]string{"unary": "floor", "fixed-cost": "floor", "bidi-flood": "floor"}, floorRefuses},
		{[]string{"floor", "own"}, map[string]string{"unary": "floor own", "fixed-cost": "floor own", "bidi-flood": "floor own", "idle": "own"}, floorRefuses},
	} {
		p, err := Selection{Stacks: stacks, Scenarios: scenarios, Client: tt.clients}.Plan(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			if got := clientsOf(p.Cases(), scenario, stacks[0]); got != tt.want[scenario] {
				t.Errorf("--client %q: %s is called by %q, want %q", tt.clients, scenario, got, tt.want[scenario])
			}
			if got := clientsOf(p.Cases(), scenario, stacks[1]); strings.Contains(got, floor.Library) {
				t.Errorf("--client %q: %s of %s is called by %q", tt.clients, scenario, stacks[1], got)
			}
		}
		if diff := cmp.Diff(tt.skipped, p.Skipped, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("--client %q: skipped (-want +got):\n%s", tt.clients, diff)
		}
	}
}

func clientsOf(cases []result.Case, scenario, stack string) string {
	var clients []string
	for _, c := range cases {
		if c.Scenario == scenario && c.Stack == stack {
			clients = append(clients, c.Client)
		}
	}
	slices.Sort(clients)
	return strings.Join(slices.Compact(clients), " ")
}

func TestNobodyCalls(t *testing.T) {
	s := Selection{Stacks: []string{"connect-go/grpcweb/h1"}, Scenarios: []string{"unary"}, Client: []string{"floor"}}
	if _, err := s.Plan(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "nothing is left to measure") {
		t.Errorf("error %v, want one that says that nothing is left", err)
	}
}

// TestWhatIsInProcess starts no server for stacks that have none.
func TestWhatIsInProcess(t *testing.T) {
	p, err := Selection{Stacks: []string{"bare/*", "*/inproc"}, Scenarios: []string{"fixed-cost"}}.Plan(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Targets) != 3 {
		t.Fatalf("%d targets, want bytes and two in process", len(p.Targets))
	}
	for _, target := range p.Targets {
		if started := target.Argv != nil; started != target.Stack.Name.Remote() {
			t.Errorf("%s: a server is started: %v", target.Stack.Name, started)
		}
	}
}
