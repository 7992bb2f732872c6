//go:build !linux

package process

import (
	"errors"
	"fmt"
	"runtime"
)

// ErrOnlyLinux says that this package can do that only on Linux.
var ErrOnlyLinux = errors.New("only Linux can")

func onlyLinux(act string) error { return fmt.Errorf("%s on %s: %w", act, runtime.GOOS, ErrOnlyLinux) }

// CPUs fails: only Linux pins processes to CPUs.
func CPUs() ([]int, error) { return nil, onlyLinux("pin to CPUs") }

// Pin fails: only Linux pins processes to CPUs.
func Pin([]int) error { return onlyLinux("pin to CPUs") }

// onCPUs runs f. The list of CPUs is empty here, because CPUs fails.
func onCPUs(_ []int, f func() error) error { return f() }

// ReadWire fails: only Linux counts the bytes of a connection for its owner.
func ReadWire(string) (Wire, error) { return Wire{}, onlyLinux("count bytes of connections") }

// Resident fails: macOS tells a process's memory to privileged programs alone.
func Resident(int) (int64, error) { return 0, onlyLinux("read memory of processes") }
