//go:build clients

package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// TestLearnSolutions does what docs/learn/change-it.md says, in a copy of the
// repository, and calls the outcome with other people's clients. It generates code with
// buf, whose first build takes minutes, hence the build tag.
func TestLearnSolutions(t *testing.T) {
	dir := built.CopyRepository(t)
	server := filepath.Join(t.TempDir(), "server")
	for _, argv := range [][]string{
		{"git", "apply", "docs/learn/solutions/title.patch", "docs/learn/solutions/part.patch"},
		{"make", "generate"},
		{"go", "build", "-o", server, "./server"},
		{"go", "build", "./..."},
	} {
		runIn(t, dir, argv)
	}
	addr := built.Serve(t, exec.CommandContext(t.Context(), server, "--connect", "127.0.0.1:0", "--tls", "off", "--grpc", "127.0.0.1:0"), "connect", "grpc")
	grpcurl := []string{"go", "tool", "-modfile=tools/grpcurl/go.mod", "grpcurl", "-plaintext", "-d"}
	const service = "greet.v1.GreetService"
	for _, call := range []struct {
		argv []string
		want string
	}{
		{[]string{"curl", "-sS", "--json", `{"name":"Ada","title":"Dr."}`, "http://" + addr["connect"] + "/" + service + "/Greet"}, `"greeting":"Hello, Dr. Ada!"`},
		{[]string{"curl", "-sS", "--json", `{"name":"Ada"}`, "http://" + addr["connect"] + "/" + service + "/Part"}, `"goodbye":"Goodbye, Ada!"`},
		{append(grpcurl, `{"name":"Ada","title":"Dr."}`, addr["grpc"], service+"/Greet"), `"greeting": "Hello, Dr. Ada!"`},
		{append(grpcurl, `{"name":"Ada"}`, addr["grpc"], service+"/Part"), `"goodbye": "Goodbye, Ada!"`},
	} {
		if out := runIn(t, dir, call.argv); !strings.Contains(out, call.want) {
			t.Errorf("%s\nprints %s\nwant %s", strings.Join(call.argv, " "), out, call.want)
		}
	}
}

// runIn runs a command in the copy and returns what it prints.
func runIn(t *testing.T, dir string, argv []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out)
	}
	return string(out)
}
