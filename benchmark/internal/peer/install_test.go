package peer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// installed makes a peer's folder with files of the given sizes.
func installed(t *testing.T, sizes map[string]int, install ...string) Peer {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "elsewhere")
	for name, size := range sizes {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Repeat("x", size)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Peer{Name: "elsewhere", Dir: dir, Install: install}
}

func wantInstallSize(t *testing.T, p Peer, want int64) {
	t.Helper()
	got, err := p.InstallSize()
	if err != nil || got != want {
		t.Errorf("%q: %d bytes, error %v, want %d", p.Install, got, err, want)
	}
}

func TestInstallSize(t *testing.T) {
	sizes := map[string]int{"server": 1000, "lib/a": 200, "lib/deep/b": 30, "src/main": 4, "empty/none": 0}
	for _, tt := range []struct {
		install []string
		want    int64
	}{
		{nil, 0},
		{[]string{"server"}, 1000},
		{[]string{"server", "lib"}, 1230},
		{[]string{"lib", "lib/a"}, 230},
		{[]string{"."}, 1234},
		{[]string{"empty"}, 0},
	} {
		wantInstallSize(t, installed(t, sizes, tt.install...), tt.want)
	}
}

func TestInstallSizeOfLinks(t *testing.T) {
	p := installed(t, map[string]int{"env/lib/a": 1000, "shared/b": 200}, "env")
	outside := filepath.Join(filepath.Dir(p.Dir), "interpreter")
	if err := os.WriteFile(outside, []byte(strings.Repeat("x", 7777)), 0o755); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(p.Dir, name) }
	for _, err := range []error{
		os.Link(in("env/lib/a"), in("env/again")),
		os.Symlink("lib/a", in("env/soft")),
		os.Symlink("lib", in("env/lib64")),
		os.Symlink("..", in("env/lib/round")), // back to the folder that it is in
		os.Symlink("../shared/b", in("env/b")),
		os.Symlink("../shared", in("env/shared")),
		os.Symlink(outside, in("env/python")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	wantInstallSize(t, p, 1200)
	// The peer's folder may itself be reached by a link.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(p.Dir, link); err != nil {
		t.Fatal(err)
	}
	p.Dir = link
	wantInstallSize(t, p, 1200)
}

func TestInstallSizeOfWhatIsMissing(t *testing.T) {
	p := installed(t, map[string]int{"server": 1}, "server", "lib")
	if _, err := p.InstallSize(); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "size peer elsewhere: ") {
		t.Errorf("error %v, want that lib is missing", err)
	}
}
