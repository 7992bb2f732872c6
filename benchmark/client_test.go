package main

import (
	"slices"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

func TestWhoCalls(t *testing.T) {
	scenarios := []string{"unary", "fixed-cost", "bidi-flood"}
	stacks := []string{"grpc-go/grpc/h2c", "connect-go/connect/h2c"}
	for _, tt := range []struct {
		clients []string
		want    map[string]string // the clients of a scenario's cases of grpc-go
		skipped string
	}{
		{nil, map[string]string{"unary": "own", "fixed-cost": "floor own", "bidi-flood": "own"}, ""},
		{[]string{"own"}, map[string]string{"unary": "own", "fixed-cost": "own", "bidi-flood": "own"}, ""},
		{[]string{"floor"}, map[string]string{"unary": "floor", "fixed-cost": "floor"}, "bidi-flood: the floor client makes unary calls alone; connect-go/connect/h2c with the floor client: it speaks gRPC over h2c and Connect over h1 alone"},
		{[]string{"floor", "own"}, map[string]string{"unary": "floor own", "fixed-cost": "floor own", "bidi-flood": "own"}, "bidi-flood: the floor client makes unary calls alone; connect-go/connect/h2c with the floor client: it speaks gRPC over h2c and Connect over h1 alone"},
	} {
		r, err := selection{Stacks: stacks, Scenarios: scenarios, Client: tt.clients}.newRun(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			if got := clientsOf(r.Plan(1), scenario, stacks[0]); got != tt.want[scenario] {
				t.Errorf("--client %q: %s is called by %q, want %q", tt.clients, scenario, got, tt.want[scenario])
			}
			if got := clientsOf(r.Plan(1), scenario, stacks[1]); strings.Contains(got, floorClient) {
				t.Errorf("--client %q: %s of %s is called by %q", tt.clients, scenario, stacks[1], got)
			}
		}
		if got := strings.Join(r.Skipped, "; "); got != tt.skipped {
			t.Errorf("--client %q: skipped %q, want %q", tt.clients, got, tt.skipped)
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
	s := selection{Stacks: []string{"connect-go/grpcweb/h1"}, Scenarios: []string{"unary"}, Client: []string{"floor"}}
	if _, err := s.newRun(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "nothing is left to measure") {
		t.Errorf("error %v, want one that says that nothing is left", err)
	}
}

// TestWhatIsInProcess starts no server for stacks that have none.
func TestWhatIsInProcess(t *testing.T) {
	r, err := selection{Stacks: []string{"bare/*", "*/inproc"}, Scenarios: []string{"fixed-cost"}}.newRun(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Targets) != 3 {
		t.Fatalf("%d targets, want bytes and two in process", len(r.Targets))
	}
	for _, target := range r.Targets {
		if started := target.Argv != nil; started != target.Stack.Name.Remote() {
			t.Errorf("%s: a server is started: %v", target.Stack.Name, started)
		}
	}
}
