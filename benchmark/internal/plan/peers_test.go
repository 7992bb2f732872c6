package plan

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/peer/peertest"
	"example.com/greet/internal/greet"
)

func TestPeersAreChosen(t *testing.T) {
	peertest.Elsewhere(t, "sh", true)
	for _, tt := range []struct {
		what string
		s    Selection
		want []string // of the peer's stacks
	}{
		{"nobody asked for peers", Selection{}, nil},
		{"their plain form", Selection{Peers: true}, []string{"elsewhere/grpc/h2c"}},
		{"by pattern", Selection{Peers: true, Stacks: []string{"*h1+*"}}, []string{"elsewhere/connect/h1+workers=1"}},
		{"all", Selection{Peers: true, Publish: true}, []string{"elsewhere/grpc/h2c", "elsewhere/connect/h1+workers=1"}},
		{"beside a target", Selection{Peers: true, Target: []string{"mine/grpc/h2c=127.0.0.1:9"}}, []string{"elsewhere/grpc/h2c"}},
		{"not by pattern", Selection{Peers: true, Stacks: []string{"grpc-go/*"}}, nil},
	} {
		c, err := tt.s.Choose(t.Context())
		if err != nil || len(c.Skipped) > 0 {
			t.Errorf("%s: skipped %q, error %v", tt.what, c.Skipped, err)
		}
		var got []string
		for _, target := range c.Targets {
			if target.Stack.Name.Library == "elsewhere" {
				got = append(got, target.Stack.Name.String())
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
	}
	if _, err := (Selection{Stacks: []string{"elsewhere/*"}}).Choose(t.Context()); err == nil {
		t.Error("a peer's stack was found by a pattern without --peers")
	}
}

func TestPeerIsWhole(t *testing.T) {
	dir := peertest.Elsewhere(t, "sh", true)
	c, err := Selection{Peers: true, Stacks: []string{"elsewhere/connect/*"}}.Choose(t.Context())
	if err != nil || len(c.Targets) != 1 {
		t.Fatalf("targets %v, error %v, want one", c.Targets, err)
	}
	got := c.Targets[0]
	if want := []string{filepath.Join(dir, "bin", "server"), "{addr}", "-w", "1"}; !slices.Equal(got.Argv, want) || got.Dir != dir {
		t.Errorf("started by %q in %s, want %q in %s", got.Argv, got.Dir, want, dir)
	}
	if s := got.Stack; got.Client.Name() != "connect-go" || s.Language != "sh" || s.Carries(greet.Bidi) ||
		!slices.Equal(s.Libraries, []string{"tonic 0.14", "prost 0.14"}) {
		t.Errorf("client %q, language %q, libraries %q, refuses %v", got.Client.Name(), s.Language, s.Libraries, s.Refuses)
	}
}

func TestPeersAreSkipped(t *testing.T) {
	for needs, want := range map[string]string{
		"sh":              "peer elsewhere: it is not built: make peers builds it",
		"no-such-program": "peer elsewhere: it needs no-such-program on PATH",
	} {
		peertest.Elsewhere(t, needs, false)
		c, err := Selection{Peers: true, Publish: true}.Choose(t.Context())
		if err != nil || len(c.Targets) == 0 || !slices.Equal(c.Skipped, []string{want}) {
			t.Errorf("%d targets, error %v, skipped %q, want %q", len(c.Targets), err, c.Skipped, want)
		}
		_, err = Selection{Peers: true, Stacks: []string{"elsewhere/*"}}.Choose(t.Context())
		if err == nil || err.Error() != "nothing is left to measure: "+want {
			t.Errorf("error %v, want that nothing is left, and why", err)
		}
	}
}
