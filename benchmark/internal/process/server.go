package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

// startPatience is how long a server may take from its start to its `listening`
// line. The slowest that we know, a cold JVM, takes a few seconds.
const startPatience = 30 * time.Second

// Command says how to start a server or a client.
type Command struct {
	Name string   // for messages
	Argv []string // with placeholders
	Fill Fill
	Dir  string    // working directory; empty for this process's
	Log  io.Writer // takes the process's standard error; nil discards it. Processes that share one, other than a file, need it safe for concurrent use
	CPUs []int     // the processors that it may run on; none means as this process
}

// Fill holds the values of the placeholders in an argument vector.
type Fill struct {
	Addr, Protocol, Transport, Cert, Key string
}

func (f Fill) argv(argv []string) []string {
	addr := f.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	r := strings.NewReplacer("{addr}", addr, "{protocol}", f.Protocol, "{transport}", f.Transport,
		"{cert}", f.Cert, "{key}", f.Key)
	filled := make([]string, len(argv))
	for i, arg := range argv {
		filled[i] = r.Replace(arg)
	}
	return filled
}

// Server is a running server process.
type Server struct {
	name    string
	addr    string
	cmd     *exec.Cmd
	stdin   io.Closer
	control *control
	exited  chan struct{}
	err     error // of the exit; set before exited is closed
}

// Start starts the server and waits until it listens. The caller stops it.
func Start(ctx context.Context, c Command) (*Server, error) {
	s, stdout, err := c.spawn()
	if err != nil {
		return nil, fmt.Errorf("start server %s: %w", c.Name, err)
	}
	if s.addr, err = s.awaitListening(ctx, stdout); err != nil {
		s.kill()
		return nil, fmt.Errorf("start server %s: %w", c.Name, err)
	}
	return s, nil
}

// spawn starts the process with its pipes.
func (c Command) spawn() (*Server, io.Reader, error) {
	cmd, stdin, stdout, err := c.prepare()
	if err != nil {
		return nil, nil, err
	}
	ours, theirs, err := controlPair()
	if err != nil {
		return nil, nil, err
	}
	ends := newControl(ours)
	if theirs != nil {
		defer theirs.Close()
		cmd.ExtraFiles = []*os.File{theirs}
		cmd.Env = append(os.Environ(), controlVariable+"=3")
	}
	if err := onCPUs(c.CPUs, cmd.Start); err != nil {
		ends.close()
		return nil, nil, err
	}
	return &Server{name: c.Name, cmd: cmd, stdin: stdin, control: ends, exited: make(chan struct{})}, stdout, nil
}

// prepare returns what to start, with pipes to its standard input and output.
func (c Command) prepare() (cmd *exec.Cmd, stdin io.WriteCloser, stdout io.Reader, err error) {
	if len(c.Argv) == 0 {
		return nil, nil, nil, errors.New("no command given")
	}
	argv := c.Fill.argv(c.Argv)
	cmd = exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stderr = c.Dir, c.Log
	// A process group of its own keeps a Ctrl-C on the terminal from reaching it:
	// it is stopped in order, after the calls in flight.
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = time.Second
	if stdin, err = cmd.StdinPipe(); err != nil {
		return nil, nil, nil, err
	}
	stdout, err = cmd.StdoutPipe()
	return cmd, stdin, stdout, err
}

// awaitListening reads the `listening` line and goes on reading, so that a
// server that prints more can never block on a full pipe.
func (s *Server) awaitListening(ctx context.Context, stdout io.Reader) (string, error) {
	type announcement struct {
		addr string
		err  error
	}
	announced := make(chan announcement, 1)
	go func() {
		r := bufio.NewReader(stdout)
		line, err := r.ReadString('\n')
		if err != nil {
			announced <- announcement{err: fmt.Errorf("it ended before it printed `listening HOST:PORT`")}
		} else {
			addr, err := parseListening(line)
			announced <- announcement{addr, err}
			_, _ = io.Copy(io.Discard, r)
		}
		s.err = s.cmd.Wait()
		close(s.exited)
	}()
	select {
	case a := <-announced:
		return a.addr, a.err
	case <-time.After(startPatience):
		return "", fmt.Errorf("it did not print `listening HOST:PORT` within %v", startPatience)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func parseListening(line string) (string, error) {
	addr, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "listening ")
	if _, _, err := net.SplitHostPort(addr); !ok || err != nil {
		return "", fmt.Errorf("it printed %q, want `listening HOST:PORT`", line)
	}
	return addr, nil
}

// Name is the name given in the command.
func (s *Server) Name() string { return s.name }

// Addr is where the server listens, "host:port".
func (s *Server) Addr() string { return s.addr }

// PID is the process's id.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Exited is closed once the process has ended.
func (s *Server) Exited() <-chan struct{} { return s.exited }

// Ended says how the process ended, such as "signal: killed", once Exited is closed.
func (s *Server) Ended() string { return s.cmd.ProcessState.String() }

// Stop ends the server: SIGTERM, or the end of its input where there are no
// signals, and SIGKILL if it has not gone within patience.
// It returns an error if the server had to be killed or did not exit with 0.
// It may be called again.
func (s *Server) Stop(patience time.Duration) error {
	if !terminate(s.cmd.Process) {
		_ = s.stdin.Close()
	}
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.kill()
		return fmt.Errorf("stop server %s: killed, since it did not exit within %v of SIGTERM", s.name, patience)
	}
	s.control.close()
	_ = s.stdin.Close()
	if s.err != nil {
		return fmt.Errorf("stop server %s: %w", s.name, s.err)
	}
	return nil
}

// HangUp ends the server without a signal, by the end of its standard input, and
// kills it if it has not gone within patience. It returns an error as Stop does.
func (s *Server) HangUp(patience time.Duration) error {
	_ = s.stdin.Close()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.kill()
		return fmt.Errorf("stop server %s: killed, since it did not exit within %v of the end of its input", s.name, patience)
	}
	s.control.close()
	if s.err != nil {
		return fmt.Errorf("stop server %s: %w", s.name, s.err)
	}
	return nil
}

// kill ends the process and whatever it started at once, and waits for it to be
// gone.
func (s *Server) kill() {
	_ = s.stdin.Close()
	killGroup(s.cmd.Process)
	<-s.exited
	s.control.close()
}
