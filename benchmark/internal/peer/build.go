package peer

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// stamp is the file in a peer's folder that says that its build has succeeded. What
// a build leaves behind when it fails half-way often looks like all of it.
const stamp = ".built"

// librariesPatience is how long printing the libraries may take: a cold JVM takes
// a few seconds.
const librariesPatience = 30 * time.Second

// Unable says which programs the peer needs and does not find, without which it can
// be neither built nor run. It is empty if there is none.
func (p Peer) Unable() string {
	var missing []string
	for _, program := range p.Needs {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, program)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("it needs %s on PATH", strings.Join(missing, ", "))
}

// Unready says why the peer's server cannot be started now, and what would help. It
// is empty if it can.
func (p Peer) Unready() string {
	if why := p.Unable(); why != "" {
		return why
	}
	built, err := os.Stat(filepath.Join(p.Dir, stamp))
	if err != nil {
		return "it is not built: make peers builds it"
	}
	if file := p.changedSince(built.ModTime()); file != "" {
		return fmt.Sprintf("it is older than its source (%s): make peers builds it", file)
	}
	return ""
}

// changedSince names a source file that has changed since, if there is one: of the
// peer's folder or the schema, without what git ignores. Where git does not tell,
// none has.
func (p Peer) changedSince(built time.Time) string {
	git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", ".", "../../proto")
	git.Dir = p.Dir
	list, err := git.Output()
	if err != nil {
		return ""
	}
	for file := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if info, err := os.Stat(filepath.Join(p.Dir, file)); err == nil && info.ModTime().After(built) {
			return file
		}
	}
	return ""
}

// Make runs the peer's build, whose output goes to log.
func (p Peer) Make(ctx context.Context, log io.Writer) error {
	built := filepath.Join(p.Dir, stamp)
	if err := os.RemoveAll(built); err != nil {
		return fmt.Errorf("build peer %s: %w", p.Name, err)
	}
	cmd := p.command(ctx, p.Build)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build peer %s with %q: %w", p.Name, strings.Join(p.Build, " "), err)
	}
	if err := os.WriteFile(built, nil, 0o644); err != nil {
		return fmt.Errorf("build peer %s: %w", p.Name, err)
	}
	return nil
}

// Versions asks the built peer for its libraries, "name version" each.
func (p Peer) Versions(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, librariesPatience)
	defer cancel()
	out, err := p.command(ctx, p.Libraries).Output()
	if err != nil {
		return nil, fmt.Errorf("list libraries of peer %s: %w", p.Name, err)
	}
	var versions []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return nil, fmt.Errorf("list libraries of peer %s: it printed %q, want a name and a version", p.Name, excerpt([]byte(line)))
		}
		versions = append(versions, strings.Join(fields, " "))
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("list libraries of peer %s: it printed none", p.Name)
	}
	return versions, nil
}

func (p Peer) command(ctx context.Context, argv []string) *exec.Cmd {
	argv = p.argv(argv)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.WaitDelay = p.Dir, time.Second
	return cmd
}
