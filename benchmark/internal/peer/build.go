package peer

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// librariesPatience is how long printing the libraries may take: a cold JVM takes
// a few seconds.
const librariesPatience = 30 * time.Second

// Unable says which programs the peer needs and this machine lacks; without them it can be neither
// built nor run. It is empty if there is none.
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

// Make runs the peer's build, whose output goes to log.
func (p Peer) Make(ctx context.Context, log io.Writer) error {
	if err := p.build(ctx, log); err != nil {
		return fmt.Errorf("build peer %s: %w", p.Name, err)
	}
	return nil
}

// build reads the sources before it builds: changes during the build may not be in it.
func (p Peer) build(ctx context.Context, log io.Writer) error {
	if err := p.removeStamp(); err != nil {
		return err
	}
	sources, err := p.readSources()
	if err != nil {
		return err
	}
	cmd := p.command(ctx, p.Build)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %q: %w", strings.Join(p.Build, " "), err)
	}
	return p.writeStamp(sources)
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
			return nil, fmt.Errorf("list libraries of peer %s: it printed %.40q, want a name and a version", p.Name, line)
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
