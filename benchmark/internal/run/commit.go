package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// commit returns the revision that this program was built from, with "-dirty" after it if files had
// changed since. `go run` does not record it, so git is asked about the directory, but only if that
// is in this program's repository: another repository's commit says nothing about the program.
func commit(ctx context.Context, dir string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	if revision, stamped := stamp(info.Settings); stamped {
		return revision
	}
	return checkedOut(ctx, dir, info.Main.Path)
}

// program tells builds of this program apart: a hash of its file, or unknown.
var program = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return unknown
	}
	file, err := os.Open(path)
	if err != nil {
		return unknown
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return unknown
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
})

// shortCommit is how many digits identify a revision.
const shortCommit = 12

// stamp is the revision that `go build` recorded.
func stamp(settings []debug.BuildSetting) (revision string, stamped bool) {
	value := func(key string) string {
		i := slices.IndexFunc(settings, func(s debug.BuildSetting) bool { return s.Key == key })
		if i < 0 {
			return ""
		}
		return settings[i].Value
	}
	revision = value("vcs.revision")
	if revision == "" {
		return "", false
	}
	revision = revision[:min(len(revision), shortCommit)]
	if value("vcs.modified") == "true" {
		revision += "-dirty"
	}
	return revision, true
}

// checkedOut is the revision of the repository that the directory is in, or
// unknown if the module is not at its root.
func checkedOut(ctx context.Context, dir, module string) string {
	git := func(args ...string) (string, bool) {
		command := exec.CommandContext(ctx, "git", args...)
		command.Dir = dir
		out, err := command.Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	root, ok := git("rev-parse", "--show-toplevel")
	if !ok || moduleAt(root) != module {
		return unknown
	}
	revision, ok := git("rev-parse", "HEAD")
	if !ok {
		return unknown
	}
	revision = revision[:min(len(revision), shortCommit)]
	if changes, ok := git("status", "--porcelain", "--untracked-files=no"); !ok || changes != "" {
		return revision + "-dirty"
	}
	return revision
}

// moduleAt is the path of the module whose root the directory is, if it is one.
func moduleAt(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			return words[1]
		}
	}
	return ""
}
