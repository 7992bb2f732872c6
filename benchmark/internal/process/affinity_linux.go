package process

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// CPUs lists the processors that this process may run on, in their order.
func CPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("read the CPUs of this process: %w", err)
	}
	var cpus []int
	for cpu := range len(set) * strconv.IntSize {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// Pin lets this process run on the given processors only, with GOMAXPROCS to
// match. Processes that it starts later inherit that, unless their Command says
// otherwise.
func Pin(cpus []int) error {
	set := cpuSet(cpus)
	pinned := make(map[int]bool)
	// A thread inherits the processors of the one that made it, which may not have been pinned
	// yet. So pinning repeats until there is no new thread.
	for again := true; again; {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("pin to CPUs %v: %w", cpus, err)
		}
		again = false
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil || pinned[id] {
				continue
			}
			// A thread that has ended meanwhile needs no pinning.
			if err := unix.SchedSetaffinity(id, &set); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("pin to CPUs %v: %w", cpus, err)
			}
			pinned[id], again = true, true
		}
	}
	runtime.GOMAXPROCS(len(cpus))
	return nil
}

// onCPUs runs f on a thread that may run on the given processors only: a child
// that f starts inherits them from its first instruction on, so that it counts
// them, and no others, when it sets up its runtime. No processors mean any.
func onCPUs(cpus []int, f func() error) error {
	if len(cpus) == 0 {
		return f()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("read the CPUs of this thread: %w", err)
	}
	set := cpuSet(cpus)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("pin to CPUs %v: %w", cpus, err)
	}
	return errors.Join(f(), unix.SchedSetaffinity(0, &before))
}

func cpuSet(cpus []int) unix.CPUSet {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return set
}
