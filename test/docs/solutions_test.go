//go:build clients

package docs_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// TestLearnSolutions does what docs/learn/change-it.md says, in a copy of the
// repository. It generates code with buf, whose first build takes minutes, hence the
// build tag.
func TestLearnSolutions(t *testing.T) {
	dir := built.CopyRepository(t)
	server := filepath.Join(t.TempDir(), "server")
	for _, argv := range [][]string{
		{"git", "apply", "docs/learn/solutions/title.patch"},
		{"make", "generate"},
		{"go", "build", "-o", server, "./server"},
	} {
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out)
		}
	}
	addr := serveConnect(t, exec.CommandContext(t.Context(), server))
	request := `{"name":"Ada","title":"Dr."}`
	res, err := http.Post("http://"+addr+"/greet.v1.GreetService/Greet", "application/json", strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var reply struct{ Greeting string }
	var body bytes.Buffer
	if _, err := body.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body.Bytes(), &reply); err != nil || reply.Greeting != "Hello, Dr. Ada!" {
		t.Errorf("the new field: %s", &body)
	}
}
