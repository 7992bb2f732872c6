package docs_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shell runs blocks one after another in a directory, each in a bash of its own.
//
// Each block is a process group: `go run` does not hand a signal on to the
// program that it runs, so a server is ended by a signal to the whole group.
type shell struct {
	dir      string
	patience time.Duration // with one block, and with a server's end
	servers  []server
}

// server is what a block left running.
type server struct {
	group int
	gone  <-chan struct{} // closed when no process of it holds its output any longer
}

// run runs the block and compares what it prints.
func (s *shell) run(b block) error {
	log, err := os.CreateTemp("", "stderr")
	if err != nil {
		return fmt.Errorf("make file for standard error: %w", err)
	}
	defer os.Remove(log.Name())
	defer log.Close()
	got, err := s.start(b, log)
	if err != nil {
		stderr, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%w\nstandard output:\n%s\nstandard error:\n%s", err, got, stderr)
	}
	if b.output == nil {
		return nil
	}
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n" // a text block cannot show that the last line has no end
	}
	if diff := cmp.Diff(*b.output, got); diff != "" {
		return fmt.Errorf("output differs (-want +got):\n%s", diff)
	}
	return nil
}

// start runs the block and returns what it printed: all of it, or of a server
// as much as was expected.
func (s *shell) start(b block, stderr *os.File) (string, error) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("make pipe: %w", err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", b.script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, theirs, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = errors.Join(cmd.Start(), theirs.Close(), ours.SetReadDeadline(time.Now().Add(s.patience)))
	if err != nil {
		return "", fmt.Errorf("start bash: %w", err)
	}
	var got bytes.Buffer
	if b.server() {
		_, err = io.CopyN(&got, ours, int64(len(*b.output)))
		s.servers = append(s.servers, server{group: cmd.Process.Pid, gone: drain(ours)})
	} else {
		_, err = io.Copy(&got, ours)
		ours.Close()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		return got.String(), errors.Join(fmt.Errorf("still running after %v", s.patience), cmd.Wait())
	}
	// A server that printed too little and closed its output shows in the comparison.
	return got.String(), cmd.Wait()
}

// drain reads on until no process holds the other end.
func drain(pipe *os.File) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		defer pipe.Close()
		pipe.SetReadDeadline(time.Time{})
		io.Copy(io.Discard, pipe)
	}()
	return gone
}

// end ends what the blocks left running, and says so if it had to be killed.
func (s *shell) end() error {
	var errs []error
	for _, server := range s.servers {
		syscall.Kill(-server.group, syscall.SIGTERM)
		select {
		case <-server.gone:
		case <-time.After(s.patience):
			syscall.Kill(-server.group, syscall.SIGKILL)
			<-server.gone
			errs = append(errs, fmt.Errorf("a server was still running %v after SIGTERM", s.patience))
		}
	}
	return errors.Join(errs...)
}

// runAll runs those of the blocks that are to be run, and ends the servers.
func (s *shell) runAll(t *testing.T, blocks []block, ci bool) {
	t.Helper()
	defer func() {
		if err := s.end(); err != nil {
			t.Error(err)
		}
	}()
	for _, b := range blocks {
		command, _, _ := strings.Cut(b.script, "\n")
		if b.when == "skip" || b.when == "ci" && !ci {
			t.Logf("line %d: %s: not run (%s: %s)", b.line, command, b.when, b.reason)
			continue
		}
		if tool, _, _ := strings.Cut(command, " "); !has(tool) && os.Getenv("CI") == "" {
			t.Logf("line %d: %s: not run (%s is not on PATH)", b.line, command, tool)
			continue
		}
		t.Logf("line %d: %s", b.line, command)
		if err := s.run(b); err != nil {
			t.Fatalf("line %d: %v", b.line, err) // later blocks build on this one
		}
	}
}

// has reports whether bash knows the command, as a program or as its own.
func has(command string) bool {
	return exec.Command("bash", "-c", `type "$0"`, command).Run() == nil
}

func TestShellFindsFaults(t *testing.T) {
	tests := []struct {
		name  string
		block block
		want  string
	}{
		{"fails", block{script: "echo out; echo err >&2; false\necho later\n"}, "exit status 1\nstandard output:\nout\n\nstandard error:\nerr\n"},
		{"prints something else", block{script: "echo a\n", output: new("b\n")}, "output differs"},
		{"prints more", block{script: "echo a\necho b\n", output: new("a\n")}, "output differs"},
		{"hangs", block{script: "sleep 60\n"}, "still running after 500ms"},
		{"leaves a process", block{script: "sleep 60 & true\n"}, "still running after 500ms"},
		{"server never ready", block{script: "sleep 60 &\n", output: new("listening\n")}, "still running after 500ms"},
		{"server ends early", block{script: "echo list &\n", output: new("listening\n")}, "output differs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shell{dir: t.TempDir(), patience: 500 * time.Millisecond}
			err := s.run(tt.block)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err := s.end(); err != nil {
				t.Errorf("end: %v", err)
			}
		})
	}
}

func TestShellTakesALineWithoutEnd(t *testing.T) {
	s := shell{dir: t.TempDir(), patience: 20 * time.Second}
	if err := s.run(block{script: "printf out\n", output: new("out\n")}); err != nil {
		t.Error(err)
	}
}

func TestShellKillsAStubbornServer(t *testing.T) {
	s := shell{dir: t.TempDir(), patience: 500 * time.Millisecond}
	stubborn := block{script: "sh -c 'trap \"\" TERM; echo up; sleep 60; sleep 60' &\n", output: new("up\n")}
	if err := s.run(stubborn); err != nil {
		t.Fatal(err)
	}
	want := "a server was still running 500ms after SIGTERM"
	if got := errorText(s.end()); got != want {
		t.Errorf("end: %q, want %q", got, want)
	}
}
