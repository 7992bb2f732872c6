//go:build unix

package process

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
)

// ownGroup starts a process in a process group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate sends SIGTERM and reports whether the system has it.
func terminate(p *os.Process) bool {
	_ = p.Signal(syscall.SIGTERM)
	// A stopped process gets its SIGTERM only when it continues.
	_ = p.Signal(syscall.SIGCONT)
	return true
}

// killGroup ends a process that was started in its own group, and all that it started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// ownUsage reads this process's processor time and the most memory it has held.
// What the system does not tell is 0.
func ownUsage() (userNS, systemNS, peakBytes int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0, 0
	}
	peakBytes = int64(u.Maxrss) //nolint:unconvert // an int32 on 32 bits
	if runtime.GOOS != "darwin" {
		peakBytes <<= 10 // bytes on macOS, KiB elsewhere: man 2 getrusage
	}
	return u.Utime.Nano(), u.Stime.Nano(), peakBytes
}

// controlPair makes the two ends of a control socket: ours, and a file for the
// child to inherit.
func controlPair() (net.Conn, *os.File, error) {
	fds, err := socketPair()
	if err != nil {
		return nil, nil, fmt.Errorf("make control socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "control"), os.NewFile(uintptr(fds[1]), "control")
	defer ours.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		theirs.Close()
		return nil, nil, fmt.Errorf("make control socket: %w", err)
	}
	return conn, theirs, nil
}

// socketPair makes two sockets that no other child inherits. Not every system makes them so in one
// step, so a lock keeps forks from coming between.
func socketPair() (fds [2]int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if fds, err = syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err != nil {
		return fds, err
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return fds, nil
}
