//go:build clients

package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestConformance runs Connect's whole suite against each program: its client calls our
// servers, and our clients call its server. Every case must pass, but for those that
// upstream knows to fail with grpc-go. The first run builds the suite:
//
//	make conformance
func TestConformance(t *testing.T) {
	suite := tool(t, "conformance", "connectconformance")
	for name := range programs {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			library, mode, _ := strings.Cut(name, " ")
			data := filepath.Join("test", "conformance", "testdata", library+"-"+mode)
			args := []string{"--mode", mode, "--conf", data + ".yaml"}
			if library == "grpc-go" {
				args = append(args, "--known-failing", "@"+data+"-known-failing.txt")
			}
			cmd := exec.CommandContext(t.Context(), suite, append(args, "--", os.Args[0])...)
			cmd.Env = append(os.Environ(), asProgram+"="+name)
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
