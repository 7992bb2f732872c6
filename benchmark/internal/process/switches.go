package process

import (
	"fmt"

	"github.com/prometheus/procfs"
)

// Switches counts the context switches of all threads of a process. The counts of a thread that has
// ended are lost; the Go runtime keeps its threads.
type Switches struct {
	Voluntary   int64 // it had to wait
	Involuntary int64 // another had its turn
}

// ReadSwitches reads those of the process.
func ReadSwitches(pid int) (Switches, error) {
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return Switches{}, fmt.Errorf("read context switches of process %d: %w", pid, err)
	}
	var s Switches
	for _, thread := range threads {
		status, err := thread.NewStatus()
		if err != nil {
			continue // it has ended since
		}
		s.Voluntary += int64(status.VoluntaryCtxtSwitches)
		s.Involuntary += int64(status.NonVoluntaryCtxtSwitches)
	}
	return s, nil
}
