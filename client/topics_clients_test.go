//go:build clients

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExplainClients runs what the texts show of other people's clients, and looks for
// what the texts say of their output. The first run builds the clients, which takes
// minutes, hence the build tag.
func TestExplainClients(t *testing.T) {
	s := startServer(t)
	for _, tool := range []string{"grpcurl", "buf curl"} {
		name, _, _ := strings.Cut(tool, " ")
		path := clientFolder(t, name)
		for _, c := range commandsOf(t, tool) {
			t.Run(tool+" "+c.topic, func(t *testing.T) {
				got := withoutSpace(c.run(t, s, path))
				for want := range strings.SplitSeq(c.want, "\n") {
					if !strings.Contains(got, withoutSpace(want)) {
						t.Errorf("%s\nprints %s\nwant %s", c.script, got, want)
					}
				}
			})
		}
	}
}

// clientFolder builds the client and returns the folder that it is in.
func clientFolder(t *testing.T, name string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "tool", "-modfile="+filepath.Join("..", "tools", name, "go.mod"), "-n", name)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("build %s: %v", name, err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}

// withoutSpace is for output that clients lay out in ways of their own.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }
