package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// tracePatience is how long strace may take to attach and to detach.
const tracePatience = 10 * time.Second

// CountSyscalls counts the system calls that all threads of the process make while f runs, by name.
// It needs strace and the right to trace the process, which may be this one. Tracing makes the
// process much slower: measure nothing else meanwhile.
func CountSyscalls(pid int, f func()) (map[string]int64, error) {
	counts, err := countSyscalls(pid, f)
	if err != nil {
		return nil, fmt.Errorf("count system calls of process %d: %w", pid, err)
	}
	return counts, nil
}

func countSyscalls(pid int, f func()) (map[string]int64, error) {
	table, err := os.CreateTemp("", "greet-syscalls-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = errors.Join(table.Close(), os.Remove(table.Name())) }()
	cmd := exec.Command("strace", "-c", "-f", "-p", strconv.Itoa(pid), "-o", table.Name())
	// We own the pipe, so closing it unblocks us if strace hangs.
	messages, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := awaitAttached(messages); err != nil {
		return nil, errors.Join(err, cmd.Process.Kill(), ignoreExit(cmd.Wait()))
	}
	f()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		return nil, errors.Join(err, ignoreExit(cmd.Wait()))
	}
	letGo := time.AfterFunc(tracePatience, func() { _ = cmd.Process.Kill() })
	defer letGo.Stop()
	_, _ = io.Copy(io.Discard, messages)
	if err := ignoreExit(cmd.Wait()); err != nil {
		return nil, err
	}
	return parseSyscalls(table)
}

// awaitAttached reads strace's messages until it says that it has attached.
func awaitAttached(messages io.ReadCloser) error {
	late := time.AfterFunc(tracePatience, func() { _ = messages.Close() })
	defer late.Stop()
	var said []string
	for lines := bufio.NewScanner(messages); lines.Scan(); {
		if strings.Contains(lines.Text(), " attached") {
			return nil
		}
		said = append(said, lines.Text())
	}
	return fmt.Errorf("strace did not attach: %s", strings.Join(said, "; "))
}

// ignoreExit drops the status of a tracer, which ends by our signal.
func ignoreExit(err error) error {
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil
	}
	return err
}

// parseSyscalls reads the table of strace -c:
//
//	% time     seconds  usecs/call     calls    errors syscall
//	------ ----------- ----------- --------- --------- ----------------
//	 52.17    0.000012           0       500         3 read
//	------ ----------- ----------- --------- --------- ----------------
//	100.00    0.000023           0       501         3 total
//
// strace writes no table if no call was made.
func parseSyscalls(table io.Reader) (map[string]int64, error) {
	counts := make(map[string]int64)
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 || strings.HasPrefix(fields[0], "---") || fields[0] == "%" {
			continue
		}
		name := fields[len(fields)-1]
		n, err := strconv.ParseInt(fields[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the table of strace: %q: %w", lines.Text(), err)
		}
		if name != "total" {
			counts[name] = n
		}
	}
	return counts, lines.Err()
}
