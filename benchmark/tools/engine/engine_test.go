package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/result"
)

// TestMain lets the test binary run itself again as a server or as a tool.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "drive") {
		main()
	}
	os.Exit(m.Run())
}

// TestFloorAlone makes one short round on a machine where no other tool is
// installed.
func TestFloorAlone(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Chdir(t.TempDir())
	stderr, err := os.Create("stderr") // several servers write to it at a time
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	status := execute(t.Context(), []string{"--rounds", "1", "--window", "500ms", "--out", "out/engine.jsonl"}, io.Discard, stderr)
	log, err := os.ReadFile(stderr.Name())
	if err != nil || status != 0 {
		t.Fatalf("status %d, error %v: %s", status, err, log)
	}
	for _, want := range []string{"skipped: h2load is not installed", "skipped: ghz is not installed"} {
		if !strings.Contains(string(log), want) {
			t.Errorf("log does not say %q:\n%s", want, log)
		}
	}
	lines, err := result.ReadFile(filepath.Join("out", "engine.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var measured []string
	for _, l := range lines {
		measured = append(measured, l.Case.Scenario+" "+l.Case.Stack)
		if refused := l.Errors["unimplemented"] > 0; refused != (l.Case.Stack == refusing) || refused == (l.Calls > 0) {
			t.Errorf("%s: %d calls succeeded, errors %v", l.Case.Key(), l.Calls, l.Errors)
		}
		if int64(l.Case.Connections) != *l.Accepted {
			t.Errorf("%s: the server accepted %d connections", l.Case.Key(), *l.Accepted)
		}
	}
	slices.Sort(measured)
	want := []string{
		"engine floor/grpc/h2c", "engine grpc-go/grpc/h2c", "engine-refused refusing/grpc/h2c",
		"engine-streams floor/grpc/h2c", "engine-streams floor/grpc/h2c",
	}
	if !slices.Equal(measured, want) {
		t.Errorf("measured %q, want %q", measured, want)
	}
}

// TestBodyIsFramed holds what h2load sends against the format.
func TestBodyIsFramed(t *testing.T) {
	path, err := writeBody(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if want := "\x00\x00\x00\x00\x12\x0a\x10" + greeted; err != nil || string(body) != want {
		t.Errorf("got %q, error %v, want %q", body, err, want)
	}
}
