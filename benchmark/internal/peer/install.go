package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// InstallSize returns how many bytes the files and folders of Install hold. A file with several
// names counts once. A symbolic link counts as its target, unless that is outside of the peer's
// folder: then it belongs to the machine, such as the interpreter of a virtual environment.
func (p Peer) InstallSize() (int64, error) {
	root, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		return 0, fmt.Errorf("size peer %s: %w", p.Name, err)
	}
	m := measured{root: root, seen: make(map[any]bool)}
	var errs []error
	for _, path := range p.Install {
		errs = append(errs, m.add(filepath.Join(root, path)))
	}
	if err := errors.Join(errs...); err != nil {
		return 0, fmt.Errorf("size peer %s: %w", p.Name, err)
	}
	return m.bytes, nil
}

// measured is what has been found so far.
type measured struct {
	root  string
	seen  map[any]bool // identities, to stop at links that go round in circles
	bytes int64
}

func (m *measured) add(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if below, err := filepath.Rel(m.root, path); err != nil || !filepath.IsLocal(below) {
		return err
	}
	info, err := os.Lstat(path)
	if err != nil || !m.first(path, info) {
		return err
	}
	switch {
	case info.IsDir():
		return m.addFolder(path)
	case info.Mode().IsRegular():
		m.bytes += info.Size()
	}
	return nil
}

func (m *measured) addFolder(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	var errs []error
	for _, entry := range entries {
		errs = append(errs, m.add(filepath.Join(path, entry.Name())))
	}
	return errors.Join(errs...)
}

// first reports whether the file or folder has not been seen yet.
func (m *measured) first(path string, info fs.FileInfo) bool {
	id := identity(path, info)
	if m.seen[id] {
		return false
	}
	m.seen[id] = true
	return true
}
