package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/benchmark/internal/peer/peertest"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/stack"
)

func TestGridChooses(t *testing.T) {
	peertest.Elsewhere(t, "sh", true)
	for _, tt := range []struct {
		stacks string
		want   []string // in the unary mode
	}{
		{"grpc-go/grpc/h2c,floor/*,connect-go/connect/h1,elsewhere/*", []string{
			"connect-go → connect-go/connect/h1 go",
			"elsewhere → elsewhere/grpc/h2c sh", "elsewhere → floor/grpc/h2c sh", "elsewhere → grpc-go/grpc/h2c sh",
			"floor → elsewhere/grpc/h2c go", "floor → floor/grpc/h2c go", "floor → grpc-go/grpc/h2c go",
			"grpc-go → elsewhere/grpc/h2c go", "grpc-go → floor/grpc/h2c go", "grpc-go → grpc-go/grpc/h2c go",
		}},
		{"grpc-go/grpc/h2c+gzip,grpc-go/grpc/h2c,bare/*", []string{
			"grpc-go → grpc-go/grpc/h2c go", "grpc-go → grpc-go/grpc/h2c+gzip go",
			"grpc-go+gzip → grpc-go/grpc/h2c go", "grpc-go+gzip → grpc-go/grpc/h2c+gzip go",
		}},
		{"elsewhere/connect/h1+workers=1", []string{"elsewhere+workers=1 → elsewhere/connect/h1+workers=1 sh"}},
	} {
		p, err := Selection{Peers: true, Stacks: strings.Split(tt.stacks, ",")}.Grid(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, meetings(p.Cases())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.stacks, diff)
		}
		for _, c := range p.Cases() {
			if c.Mode == "bidi" && strings.Contains(c.Stack, "/h1") {
				t.Errorf("%s is called in a mode that it refuses", c.Stack)
			}
		}
	}
}

func TestGridNamesMissingClients(t *testing.T) {
	there := []PeerStack{
		{Peer: peer.Peer{Name: "mute"}},
		{Peer: peer.Peer{Name: "mute"}},
		{Peer: peer.Peer{Name: "half", Bench: []string{"bench"}}, Offer: peer.Stack{NoClient: "it knows no TLS"}, Stack: stack.Stack{Name: stack.Name{Library: "half", Protocol: "grpc", Transport: "h2"}}},
		{Peer: peer.Peer{Name: "whole", Bench: []string{"bench"}}},
	}
	want := []string{"client of peer mute: it has none", "client of half/grpc/h2: it knows no TLS"}
	if diff := cmp.Diff(want, missingClients(there)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// meetings lists who calls whom in the unary mode.
func meetings(cases []result.Case) (calls []string) {
	for _, c := range cases {
		if c.Mode == "unary" {
			calls = append(calls, fmt.Sprintf("%s → %s %s", c.Client, c.Stack, c.ClientLanguage))
		}
	}
	slices.Sort(calls)
	return calls
}

// TestGridTakesAll has every plain stack of an RPC library, and the peer that is
// not built named.
func TestGridTakesAll(t *testing.T) {
	peertest.Elsewhere(t, "sh", false)
	p, err := Selection{Peers: true, Stacks: []string{"*"}}.Grid(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"peer elsewhere: it is not built: make peers builds it"}; !slices.Equal(p.Skipped, want) {
		t.Errorf("skipped %q, want %q", p.Skipped, want)
	}
	called := make(map[string]bool)
	for _, target := range p.Targets {
		called[target.Stack.Name.String()] = true
	}
	for _, s := range catalog.Known() {
		if name := s.Name.String(); called[name] != (s.Name.RPC() && len(s.Name.Variants) == 0) {
			t.Errorf("%s is called: %v", name, called[name])
		}
	}
	if _, err := (Selection{Stacks: []string{"bare/*"}}).Grid(t.Context()); err == nil {
		t.Error("a grid of no RPC library at all")
	}
}
