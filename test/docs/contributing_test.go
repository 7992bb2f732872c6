package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestContributingNamesWhatThereIs checks the make targets, files and folders
// that CONTRIBUTING.md names.
func TestContributingNamesWhatThereIs(t *testing.T) {
	text, makefile := readFile(t, "CONTRIBUTING.md"), readFile(t, "Makefile")
	for _, problem := range strayNames(text, makefile) {
		t.Error(problem)
	}
	got := strayNames("`make baked`, `make`, `make test`, `internal/nowhere`, `internal/greet`", "test: ## x\n")
	want := "no target baked in the Makefile; there is no internal/nowhere"
	if strings.Join(got, "; ") != want {
		t.Errorf("stray names in a bad text: %q, want %q", got, want)
	}
}

var (
	makeCall = regexp.MustCompile("`make ([a-z0-9-]+)`")
	pathName = regexp.MustCompile("`((?:\\.ci|gen|internal|proto|tools|benchmark)/[^`<]*|[a-z_]+_test\\.go)`")
)

func strayNames(text, makefile string) (stray []string) {
	for _, m := range makeCall.FindAllStringSubmatch(text, -1) {
		if !strings.Contains("\n"+makefile, "\n"+m[1]+":") {
			stray = append(stray, "no target "+m[1]+" in the Makefile")
		}
	}
	for _, m := range pathName.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(m[1]); err != nil {
			stray = append(stray, "there is no "+m[1])
		}
	}
	return stray
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
