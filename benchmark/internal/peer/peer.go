package peer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// File is the name of the file that makes a folder a peer.
const File = "peer.json"

// Peer is the contents of a peer's file, and its folder. The folder is the working directory of the
// argument vectors. peer.schema.json explains the fields.
type Peer struct {
	Dir       string   `json:"-"` // absolute
	Name      string   `json:"name"`
	Language  string   `json:"language"`
	Needs     []string `json:"needs"`
	Build     []string `json:"build"`
	Sources   []string `json:"sources"`
	Libraries []string `json:"libraries"`
	Serve     []string `json:"serve"` // with placeholders; see package process
	Bench     []string `json:"bench"` // likewise; empty if the peer has no client
	Flags     string   `json:"flags"`
	Install   []string `json:"install"`
	Stacks    []Stack  `json:"stacks"` // one at least
}

// Stack is one stack that a peer's server offers.
type Stack struct {
	Name stack.Name `json:"name"`
	// Refuses says, for each mode that the stack cannot carry, why not.
	Refuses map[greet.Mode]string `json:"refuses"`
	// Deviates lists the behaviours of package contract that the stack is known to break, and why.
	// The names are not checked here.
	Deviates map[string]string `json:"deviates"`
	// NoClient says why the peer's benchmark client cannot call the stack. It is empty
	// if it can, or if the peer has none.
	NoClient string   `json:"no_client"`
	Args     []string `json:"args"`
}

// Argv starts the server of one of the peer's stacks.
func (p Peer) Argv(s Stack) []string { return p.argv(slices.Concat(p.Serve, s.Args)) }

// BenchArgv starts the peer's benchmark client for a server of one of its stacks. It
// is nil if there is none.
func (p Peer) BenchArgv(s Stack) []string {
	if len(p.Bench) == 0 || s.NoClient != "" {
		return nil
	}
	return p.argv(slices.Concat(p.Bench, s.Args))
}

// argv replaces the name of a program in the peer's folder by its path.
func (p Peer) argv(argv []string) []string {
	if !strings.ContainsRune(argv[0], filepath.Separator) || filepath.IsAbs(argv[0]) {
		return argv
	}
	argv = slices.Clone(argv)
	argv[0] = filepath.Join(p.Dir, argv[0])
	return argv
}

// Find reads all peers below dir, sorted by name: the folders in it that have a peer.json. An
// invalid peer.json is an error.
func Find(dir string) ([]Peer, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", File))
	if err != nil {
		return nil, fmt.Errorf("look for peers: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("look for peers: there is no %s: is this the root of the repository?", filepath.Join(dir, "*", File))
	}
	var peers []Peer
	var errs []error
	for _, file := range files {
		p, err := Read(filepath.Dir(file))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		peers = append(peers, p)
	}
	return peers, errors.Join(errs...)
}

// Read reads the peer in the folder.
func Read(dir string) (Peer, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Peer{}, fmt.Errorf("read peer: %w", err)
	}
	file := filepath.Join(dir, File)
	text, err := os.ReadFile(file)
	if err != nil {
		return Peer{}, fmt.Errorf("read peer: %w", err)
	}
	p, err := parse(text)
	if err == nil && p.Name != filepath.Base(dir) {
		err = fmt.Errorf("name: %q is not the name of the folder", p.Name)
	}
	if err != nil {
		return Peer{}, fmt.Errorf("read %s: %w", file, err)
	}
	p.Dir = dir
	return p, nil
}
