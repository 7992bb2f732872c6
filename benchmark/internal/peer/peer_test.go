package peer

import (
	"bytes"
	"encoding/json"
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
	if want := `build peer x: run "sh -c echo building; test ! -e broken": exit status 1`; err == nil || err.Error() != want {
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

// clone makes a repository with a schema and one peer, which also reads ../common/lib.
func clone(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for file, content := range map[string]string{
		"proto/x.proto": "", "peers/common/lib": "", ".gitignore": "output\n.built\n",
	} {
		put(t, filepath.Join(root, file), content)
	}
	write(t, filepath.Join(root, "peers"), "x", "sh", "touch output", "true")
	file := filepath.Join(root, "peers", "x", File)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, strings.Replace(string(text), "{", `{"sources": ["../common"], `, 1))
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git, which tells what is source: %v: %s", err, out)
	}
	return root
}

func put(t *testing.T, file, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o755)); err != nil {
		t.Fatal(err)
	}
}

func TestPeerOlderThanItsSource(t *testing.T) {
	root := clone(t)
	p, err := Read(filepath.Join(root, "peers", "x"))
	if err != nil {
		t.Fatal(err)
	}
	older := func(file string) string { return "it is older than its source (" + file + "): make peers builds it" }
	for _, changed := range []struct{ file, content, want string }{
		{"output", "x", ""},
		{"list", "changed", older("list")},
		{"new", "", older("new")},
		{"../common/lib", "changed", older("../common/lib")},
		{"../../proto/x.proto", "changed", older("../../proto/x.proto")},
		{"../y/none-of-its-own", "", ""},
	} {
		if err := p.Make(t.Context(), t.Output()); err != nil {
			t.Fatal(err)
		}
		if why := p.Unready(); why != "" {
			t.Fatalf("just built: %s", why)
		}
		put(t, filepath.Join(p.Dir, changed.file), changed.content)
		if got := p.Unready(); got != changed.want {
			t.Errorf("%s changed: %q, want %q", changed.file, got, changed.want)
		}
	}
	if err := os.Remove(filepath.Join(p.Dir, "new")); err != nil {
		t.Fatal(err)
	}
	if got, want := p.Unready(), older("new"); got != want {
		t.Errorf("after a file is gone: %q, want %q", got, want)
	}
}

// TestCopyIsAsFresh copies a clone with what was built in it, and then touches every file.
func TestCopyIsAsFresh(t *testing.T) {
	root := clone(t)
	p, err := Read(filepath.Join(root, "peers", "x"))
	if err == nil {
		err = p.Make(t.Context(), t.Output())
	}
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(other, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	for _, file := range []string{"peers/x/list", "proto/x.proto", "peers/common/lib"} {
		if err := os.Chtimes(filepath.Join(other, file), later, later); err != nil {
			t.Fatal(err)
		}
	}
	if p, err = Read(filepath.Join(other, "peers", "x")); err != nil || p.Unready() != "" {
		t.Errorf("the copy: error %v, %q", err, p.Unready())
	}
}

func TestSourcesThatAreGone(t *testing.T) {
	root := clone(t)
	p, err := Read(filepath.Join(root, "peers", "x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(root, "peers", "common")); err != nil {
		t.Fatal(err)
	}
	if err := p.Make(t.Context(), t.Output()); err == nil || !strings.Contains(err.Error(), "build peer x: find its sources: stat ") {
		t.Errorf("error %v, want that the sources are not there", err)
	}
}

// TestPeersPointEditorsToTheSchema reads the peers of this repository.
func TestPeersPointEditorsToTheSchema(t *testing.T) {
	found, err := Find("../../../peers")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		text, err := os.ReadFile(filepath.Join(p.Dir, File))
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Schema string `json:"$schema"`
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		pointed, err := os.ReadFile(filepath.Join(p.Dir, file.Schema))
		if err != nil || !bytes.Equal(pointed, schemaJSON) {
			t.Errorf("%s: $schema %q is not the schema: %v", p.Name, file.Schema, err)
		}
	}
}
