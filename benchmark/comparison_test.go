package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	somewhere(t, "sh", true)
	s := selection{
		Peers: true, Scenarios: []string{"family", "codec", "open"},
		Stacks: []string{"elsewhere/*", "elsewhere/*+*", "grpc-go/grpc/h2c", "connect-go/connect/h1", "connect-go/connect/h3", "floor/*"},
	}
	r, err := s.newRun(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := r.Plan(1)
	for _, tt := range []struct {
		kind, mode string
		want       []string
	}{
		{ofServers, "unary", []string{
			"floor → connect-go/connect/h1", "floor → elsewhere/connect/h1+workers=1",
			"floor → elsewhere/grpc/h2c", "floor → floor/grpc/h2c", "floor → grpc-go/grpc/h2c",
		}},
		{ofServers, "bidi", []string{
			"grpc-go → elsewhere/grpc/h2c", "grpc-go → floor/grpc/h2c", "grpc-go → grpc-go/grpc/h2c",
		}},
		{ofClients, "unary", []string{
			"connect-go → connect-go/connect/h1 go", "elsewhere → grpc-go/grpc/h2c sh",
			"elsewhere+workers=1 → connect-go/connect/h1 sh", "floor → connect-go/connect/h1 go",
			"floor → grpc-go/grpc/h2c go", "grpc-go → grpc-go/grpc/h2c go",
		}},
		{ofPairs, "unary", []string{
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
	somewhere(t, "sh", true)
	for _, tt := range []struct {
		s     selection
		kinds []string
	}{
		{selection{}, []string{"clients", "pairs", "servers"}},
		{selection{Comparisons: []string{"pairs"}}, []string{"pairs"}},
		{selection{Client: []string{"own"}}, []string{""}},
	} {
		tt.s.Peers, tt.s.Scenarios, tt.s.Stacks = true, []string{"family"}, []string{"elsewhere/*", "grpc-go/grpc/h2c"}
		r, err := tt.s.newRun(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, c := range r.Plan(1) {
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
	somewhere(t, "sh", true)
	r, err := selection{Peers: true, Scenarios: []string{"family"}, Stacks: []string{"elsewhere/*"}}.newRun(t.Context(), nil)
	want := "client elsewhere of elsewhere/grpc/h2c among clients: grpc-go/grpc/h2c is not measured"
	if err != nil || !slices.Contains(r.Skipped, want) {
		t.Errorf("error %v, skipped %q, want %q", err, r.Skipped, want)
	}
	for _, target := range r.Targets {
		for _, client := range target.Clients {
			if !slices.Contains(client.Argv, "{addr}") || client.Dir == "" {
				t.Errorf("client %s is started by %q in %q", client.Name, client.Argv, client.Dir)
			}
		}
	}
}
