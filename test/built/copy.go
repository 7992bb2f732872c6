package built

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// CopyRepository copies what a clone would hold, and what is not committed yet, to a
// directory that goes with the test.
func CopyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil { // not a clone, but an archive of one
		if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
			t.Fatalf("copy repository: %v", err)
		}
		return dir
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		content, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not committed yet
		}
		to := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o755))
		if err != nil {
			t.Fatalf("copy repository: %v", err)
		}
	}
	return dir
}
