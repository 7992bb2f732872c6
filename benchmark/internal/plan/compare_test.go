package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/peer/peertest"
	"example.com/greet/benchmark/internal/result"
)

// whoCallsWhom lists the clients and servers of the cases that have the kind.
func whoCallsWhom(cases []result.Case, kind, mode string) []string {
	var calls []string
	for _, c := range cases {
		if c.Kind == kind && c.Mode == mode && c.Scenario == "family" {
			calls = append(calls, strings.TrimSpace(fmt.Sprintf("%s → %s %s", c.Client, c.Stack, c.ClientLanguage)))
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

func TestComparisons(t *testing.T) {
	peertest.Elsewhere(t, "sh", true)
	s := Selection{
		Peers: true, Scenarios: []string{"family", "codec", "open"},
		Stacks: []string{"elsewhere/*", "elsewhere/*+*", "grpc-go/grpc/h2c", "connect-go/connect/h1", "connect-go/connect/h3", "floor/*"},
	}
	p, err := s.Plan(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	plan := p.Cases()
	for _, tt := range []struct {
		kind, mode string
		want       []string
	}{
		{OfServers, "unary", []string{
			"floor → connect-go/connect/h1", "floor → elsewhere/connect/h1+workers=1",
			"floor → elsewhere/grpc/h2c", "floor → floor/grpc/h2c", "floor → grpc-go/grpc/h2c",
		}},
		{OfServers, "bidi", []string{
			"floor → elsewhere/grpc/h2c", "floor → floor/grpc/h2c", "floor → grpc-go/grpc/h2c",
		}},
		{OfClients, "unary", []string{
			"connect-go → connect-go/connect/h1 go", "elsewhere → grpc-go/grpc/h2c sh",
			"elsewhere+workers=1 → connect-go/connect/h1 sh", "floor → connect-go/connect/h1 go",
			"floor → grpc-go/grpc/h2c go", "grpc-go → grpc-go/grpc/h2c go",
		}},
		{OfPairs, "unary", []string{
			"connect-go → connect-go/connect/h1", "elsewhere → elsewhere/grpc/h2c",
			"elsewhere+workers=1 → elsewhere/connect/h1+workers=1", "floor → floor/grpc/h2c", "grpc-go → grpc-go/grpc/h2c",
		}},
		{"", "unary", nil}, // what no peer's client can call is in other scenarios
	} {
		if diff := cmp.Diff(tt.want, whoCallsWhom(plan, tt.kind, tt.mode)); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", tt.kind, tt.mode, diff)
		}
	}
	if !slices.ContainsFunc(plan, func(c result.Case) bool { return c.Scenario == "codec" && c.Stack == "elsewhere" && c.Language == "sh" }) {
		t.Error("the peer's codec is not measured")
	}
	if !slices.ContainsFunc(plan, func(c result.Case) bool {
		return c.Scenario == "open" && c.Stack == "elsewhere/grpc/h2c" && c.Kind == ""
	}) {
		t.Error("a scenario without peers' clients has lost its cases")
	}
}

// TestComparisonsAreChosen wants those alone that were asked for.
func TestComparisonsAreChosen(t *testing.T) {
	peertest.Elsewhere(t, "sh", true)
	for _, tt := range []struct {
		s     Selection
		kinds []string
	}{
		{Selection{}, []string{"clients", "pairs", "servers"}},
		{Selection{Comparisons: []string{"pairs"}}, []string{"pairs"}},
		{Selection{Client: []string{"own"}}, []string{""}},
	} {
		tt.s.Peers, tt.s.Scenarios, tt.s.Stacks = true, []string{"family"}, []string{"elsewhere/*", "grpc-go/grpc/h2c"}
		p, err := tt.s.Plan(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, c := range p.Cases() {
			kinds = append(kinds, c.Kind)
		}
		slices.Sort(kinds)
		if diff := cmp.Diff(tt.kinds, slices.Compact(kinds)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.s, diff)
		}
	}
}

// TestClientsWithoutAServer says which clients have no Go server to be compared by.
func TestClientsWithoutAServer(t *testing.T) {
	peertest.Elsewhere(t, "sh", true)
	p, err := Selection{Peers: true, Scenarios: []string{"family"}, Stacks: []string{"elsewhere/*"}}.Plan(t.Context(), 1)
	want := "client elsewhere of elsewhere/grpc/h2c among clients: grpc-go/grpc/h2c is not measured"
	if err != nil || !slices.Contains(p.Skipped, want) {
		t.Errorf("error %v, skipped %q, want %q", err, p.Skipped, want)
	}
}
