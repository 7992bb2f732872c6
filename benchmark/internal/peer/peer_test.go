package peer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write makes a folder for a peer that builds and lists by what it is given.
func write(t *testing.T, dir, name, needs, build, libraries string) {
	t.Helper()
	text := fmt.Sprintf(`{"name": %q, "language": "sh", "needs": [%q], "build": ["sh", "-c", %q], "libraries": ["./list"],
		"serve": ["bin/serve", "{addr}"], "stacks": [{"name": "x/grpc/h2c", "args": ["-v"]}]}`, name, needs, build)
	folder := filepath.Join(dir, name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{File: text, "list": "#!/bin/sh\n" + libraries + "\n"} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, needs, build, libraries string) Peer {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "x", needs, build, libraries)
	p, err := Read(filepath.Join(dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find(dir); err == nil || !strings.Contains(err.Error(), "is this the root of the repository?") {
		t.Errorf("nothing there: error %v", err)
	}
	write(t, dir, "two", "sh", "true", "true")
	write(t, dir, "one", "sh", "true", "true")
	if err := os.Mkdir(filepath.Join(dir, "no-peer"), 0o755); err != nil {
		t.Fatal(err)
	}
	found, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range found {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"one", "two"}, names); diff != "" {
		t.Errorf("peers (-want +got):\n%s", diff)
	}
	if err := os.Rename(filepath.Join(dir, "two"), filepath.Join(dir, "three")); err != nil {
		t.Fatal(err)
	}
	_, err = Find(dir)
	want := "read " + filepath.Join(dir, "three", File) + `: name: "two" is not the name of the folder`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestArgvIsFoundFromAnywhere(t *testing.T) {
	p := read(t, "sh", "true", "true")
	want := []string{filepath.Join(p.Dir, "bin", "serve"), "{addr}", "-v"}
	if diff := cmp.Diff(want, p.Argv(p.Stacks[0])); diff != "" {
		t.Errorf("argument vector (-want +got):\n%s", diff)
	}
	for _, argv := range [][]string{{"node", "x.js"}, {"/bin/sh"}} {
		if got := p.argv(argv); !cmp.Equal(got, argv) {
			t.Errorf("%q became %q", argv, got)
		}
	}
}

func TestMake(t *testing.T) {
	p := read(t, "sh", "echo building; test ! -e broken", "echo x 1.0; echo y v2")
	const notBuilt = "it is not built: make peers builds it"
	if why := p.Unready(); why != notBuilt {
		t.Errorf("before: %q, want %q", why, notBuilt)
	}
	var log bytes.Buffer
	if err := p.Make(t.Context(), &log); err != nil || log.String() != "building\n" {
		t.Fatalf("build: %v, log %q", err, log.String())
	}
	if why := p.Unready(); why != "" {
		t.Errorf("after: %q", why)
	}
	versions, err := p.Versions(t.Context())
	if diff := cmp.Diff([]string{"x 1.0", "y v2"}, versions); diff != "" || err != nil {
		t.Errorf("error %v, libraries (-want +got):\n%s", err, diff)
	}
	// What was there before a build that fails is not taken for its outcome.
	if err := os.WriteFile(filepath.Join(p.Dir, "broken"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err = p.Make(t.Context(), &log)
	if want := `build peer x with "sh -c echo building; test ! -e broken": exit status 1`; err == nil || err.Error() != want {
		t.Errorf("build: error %v, want %s", err, want)
	}
	if why := p.Unready(); why != notBuilt {
		t.Errorf("after a build that failed: %q, want %q", why, notBuilt)
	}
}

func TestNeeds(t *testing.T) {
	p := read(t, "no-such-program", "true", "true")
	want := "it needs no-such-program on PATH"
	for what, got := range map[string]string{"unable": p.Unable(), "unready": p.Unready()} {
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
}

func TestVersionsErrors(t *testing.T) {
	for script, want := range map[string]string{
		"exit 3":               "list libraries of peer x: exit status 3",
		"true":                 "list libraries of peer x: it printed none",
		"echo tonic":           `list libraries of peer x: it printed "tonic\n", want a name and a version`,
		"echo built on Monday": `list libraries of peer x: it printed "built on Monday\n", want a name and a version`,
	} {
		if _, err := read(t, "sh", "true", script).Versions(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", script, err, want)
		}
	}
}

func TestPeerOlderThanItsSource(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"peers", "proto"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(root, "peers"), "x", "sh", "touch output", "true")
	schema := filepath.Join(root, "proto", "x.proto")
	if err := errors.Join(os.WriteFile(schema, nil, 0o644), os.WriteFile(filepath.Join(root, ".gitignore"), []byte("output\n.built\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git, which tells what is source: %v: %s", err, out)
	}
	p, err := Read(filepath.Join(root, "peers", "x"))
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	for _, changed := range []struct{ file, want string }{
		{filepath.Join(p.Dir, "output"), ""},
		{filepath.Join(p.Dir, "list"), "it is older than its source (list): make peers builds it"},
		{schema, "it is older than its source (../../proto/x.proto): make peers builds it"},
	} {
		if err := p.Make(t.Context(), t.Output()); err != nil {
			t.Fatal(err)
		}
		if why := p.Unready(); why != "" {
			t.Fatalf("just built: %s", why)
		}
		if err := os.Chtimes(changed.file, later, later); err != nil {
			t.Fatal(err)
		}
		if got := p.Unready(); got != changed.want {
			t.Errorf("%s changed: %q, want %q", changed.file, got, changed.want)
		}
		if err := os.Chtimes(changed.file, time.Time{}, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
}
