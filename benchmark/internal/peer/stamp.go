package peer

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// stamp is the file in a peer's folder that records a successful build and its sources. A build
// that fails half-way often leaves what looks like all of it.
const stamp = ".built"

// sources has the SHA-256 sum of each source file, by its path from the peer's folder. With sums
// rather than times, a copy of a checkout is as fresh as the original.
type sources map[string]string

// Unready says why the peer's server cannot be started now, and what would help. It is empty if
// nothing is missing.
func (p Peer) Unready() string {
	if why := p.Unable(); why != "" {
		return why
	}
	text, err := os.ReadFile(p.stampFile())
	if err != nil {
		return "it is not built: make peers builds it"
	}
	now, err := p.readSources()
	if err != nil {
		return err.Error()
	}
	var built sources
	_ = json.Unmarshal(text, &built) // an unreadable stamp counts as one of other sources
	if file := built.firstOtherIn(now); len(now) > 0 && file != "" {
		return fmt.Sprintf("it is older than its source (%s): make peers builds it", file)
	}
	return ""
}

// firstOtherIn returns the first file that has changed, come or gone, or "".
func (s sources) firstOtherIn(now sources) string {
	for _, file := range slices.Sorted(maps.Keys(now)) {
		if s[file] != now[file] {
			return file
		}
	}
	for _, file := range slices.Sorted(maps.Keys(s)) {
		if _, ok := now[file]; !ok {
			return file
		}
	}
	return ""
}

// readSources reads the source files. Outside of a clone git lists none, and a built peer counts as
// fresh.
func (p Peer) readSources() (sources, error) {
	for _, path := range p.Sources {
		if _, err := os.Stat(filepath.Join(p.Dir, path)); err != nil {
			return nil, fmt.Errorf("find its sources: %w", err)
		}
	}
	found := sources{}
	for _, file := range p.sourceFiles() {
		content, err := os.ReadFile(filepath.Join(p.Dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not committed yet
		}
		if err != nil {
			return nil, fmt.Errorf("read its sources: %w", err)
		}
		found[file] = fmt.Sprintf("%x", sha256.Sum256(content))
	}
	return found, nil
}

// sourceFiles lists the files of the peer's folder, of its Sources and of the schema,
// without what git ignores.
func (p Peer) sourceFiles() []string {
	args := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".", "../../proto"}
	git := exec.Command("git", append(args, p.Sources...)...)
	git.Dir = p.Dir
	list, _ := git.Output() // empty if it failed
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
}

func (p Peer) stampFile() string { return filepath.Join(p.Dir, stamp) }

func (p Peer) removeStamp() error { return os.RemoveAll(p.stampFile()) }

func (p Peer) writeStamp(built sources) error {
	text, err := json.MarshalIndent(built, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(p.stampFile(), text, 0o644)
}
