package scenario

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// callgrindVariable asks for instruction counts, which take a minute for each stack.
const callgrindVariable = "GREET_CALLGRIND"

var errNotAsked = errors.New("counting them takes minutes and is done only with " + callgrindVariable + "=1 in the environment")

// costLacks says which kinds of cost this machine cannot measure.
func costLacks() []string {
	var lacks []string
	if err := canTrace(); err != nil {
		lacks = append(lacks, fmt.Sprintf("cost, %s: %v", syscallsKind, err))
	}
	if err := canCount(); err != nil {
		lacks = append(lacks, fmt.Sprintf("cost, %s: %v", instructionsKind, err))
	}
	return lacks
}

// canTrace says what keeps strace from attaching to the two processes.
func canTrace() error {
	if _, err := exec.LookPath("strace"); err != nil {
		return errors.New("strace is not on PATH")
	}
	// Yama lets a process trace only its own children, unless it is root's
	// (Documentation/admin-guide/LSM/Yama.rst). Without Yama the file is missing.
	scope, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	if err == nil && strings.TrimSpace(string(scope)) != "0" && os.Geteuid() != 0 {
		return errors.New("strace may attach as root only, or with `sysctl -w kernel.yama.ptrace_scope=0`")
	}
	return nil
}

// canCount says what keeps callgrind from counting instructions.
func canCount() error {
	if os.Getenv(callgrindVariable) == "" {
		return errNotAsked
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return errors.New("valgrind is not on PATH")
	}
	return nil
}
