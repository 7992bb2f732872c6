package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/benchmark/internal/peer"
	"example.com/greet/internal/greet"
)

// somewhere makes a root of a repository with one peer, built or not, and goes there.
func somewhere(t *testing.T, needs string, built bool) (dir string) {
	t.Helper()
	text := `{"name": "elsewhere", "language": "sh", "needs": ["` + needs + `"], "build": ["true"],
		"libraries": ["sh", "-c", "echo tonic 0.14; echo prost 0.14"],
		"serve": ["bin/server", "{addr}"], "bench": ["bin/bench", "{addr}"],
		"stacks": [{"name": "elsewhere/grpc/h2c"},
			{"name": "elsewhere/connect/h1+workers=1", "args": ["-w", "1"], "refuses": {"bidi": "no reason"}}]}`
	t.Chdir(t.TempDir())
	dir, err := filepath.Abs(filepath.Join("peers", "elsewhere"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, peer.File), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if !built {
		return dir
	}
	p, err := peer.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Make(t.Context(), t.Output()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPeersAreChosen(t *testing.T) {
	somewhere(t, "sh", true)
	for _, tt := range []struct {
		what string
		s    selection
		want []string // of the peer's stacks
	}{
		{"nobody asked for peers", selection{}, nil},
		{"their plain form", selection{Peers: true}, []string{"elsewhere/grpc/h2c"}},
		{"by pattern", selection{Peers: true, Stacks: []string{"*h1+*"}}, []string{"elsewhere/connect/h1+workers=1"}},
		{"all", selection{Peers: true, Publish: true}, []string{"elsewhere/grpc/h2c", "elsewhere/connect/h1+workers=1"}},
		{"beside a target", selection{Peers: true, Target: []string{"mine/grpc/h2c=127.0.0.1:9"}}, []string{"elsewhere/grpc/h2c"}},
		{"not by pattern", selection{Peers: true, Stacks: []string{"grpc-go/*"}}, nil},
	} {
		c, err := tt.s.targets(t.Context())
		if err != nil || len(c.skipped) > 0 {
			t.Errorf("%s: skipped %q, error %v", tt.what, c.skipped, err)
		}
		var got []string
		for _, target := range c.targets {
			if target.Stack.Name.Library == "elsewhere" {
				got = append(got, target.Stack.Name.String())
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
	}
	if _, err := (selection{Stacks: []string{"elsewhere/*"}}).targets(t.Context()); err == nil {
		t.Error("a peer's stack was found by a pattern without --peers")
	}
}

func TestPeerIsWhole(t *testing.T) {
	dir := somewhere(t, "sh", true)
	c, err := selection{Peers: true, Stacks: []string{"elsewhere/connect/*"}}.targets(t.Context())
	if err != nil || len(c.targets) != 1 {
		t.Fatalf("targets %v, error %v, want one", c.targets, err)
	}
	got := c.targets[0]
	if want := []string{filepath.Join(dir, "bin", "server"), "{addr}", "-w", "1"}; !slices.Equal(got.Argv, want) || got.Dir != dir {
		t.Errorf("started by %q in %s, want %q in %s", got.Argv, got.Dir, want, dir)
	}
	if s := got.Stack; s.Client != "connect-go" || s.Language != "sh" || s.Carries(greet.Bidi) ||
		!slices.Equal(s.Libraries, []string{"tonic 0.14", "prost 0.14"}) {
		t.Errorf("client %q, language %q, libraries %q, refuses %v", s.Client, s.Language, s.Libraries, s.Refuses)
	}
}

func TestPeersAreSkipped(t *testing.T) {
	for needs, want := range map[string]string{
		"sh":              "peer elsewhere: it is not built: make peers builds it",
		"no-such-program": "peer elsewhere: it needs no-such-program on PATH",
	} {
		somewhere(t, needs, false)
		c, err := selection{Peers: true, Publish: true}.targets(t.Context())
		if err != nil || len(c.targets) == 0 || !slices.Equal(c.skipped, []string{want}) {
			t.Errorf("%d targets, error %v, skipped %q, want %q", len(c.targets), err, c.skipped, want)
		}
		_, err = selection{Peers: true, Stacks: []string{"elsewhere/*"}}.targets(t.Context())
		if err == nil || err.Error() != "nothing is left to measure: "+want {
			t.Errorf("error %v, want that nothing is left, and why", err)
		}
		var stdout, stderr strings.Builder
		status := execute(t.Context(), []string{"plan", "--peers", "--scenarios", "unary"}, &stdout, &stderr)
		if status != exitGood || !strings.Contains(stderr.String(), "skipped: "+want+"\n") {
			t.Errorf("status %d, log %s\nwant the skipped peer named", status, stderr.String())
		}
	}
}

func TestPeersCommand(t *testing.T) {
	somewhere(t, "sh", false)
	for _, tt := range []struct{ args, want string }{
		{"peers", "elsewhere          sh       it is not built: make peers builds it\n"},
		{"peers --build", "elsewhere          sh       tonic 0.14, prost 0.14\n"},
		{"peers elsewhere", "elsewhere          sh       tonic 0.14, prost 0.14\n"},
	} {
		var stdout, stderr strings.Builder
		status := execute(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
		if status != exitGood || stdout.String() != tt.want {
			t.Errorf("%s: status %d, log %s\ngot  %swant %s", tt.args, status, stderr.String(), stdout.String(), tt.want)
		}
	}
	var stdout, stderr strings.Builder
	status := execute(t.Context(), []string{"peers", "--build", "elsewere"}, &stdout, &stderr)
	if want := `no peer is named "elsewere": did you mean elsewhere? benchmark peers lists all`; status != exitUsage || !strings.Contains(stderr.String(), want) {
		t.Errorf("status %d, log %s\nwant %s", status, stderr.String(), want)
	}
}
