package process

import (
	"fmt"
	"time"

	"github.com/prometheus/procfs"
)

// CPU is the processor time that a process has used since its start.
type CPU struct {
	User, System time.Duration
}

// clockTick is the unit of times in /proc/PID/stat: USER_HZ, which Linux fixes at
// 100 for every architecture that Go runs on (man 5 proc).
const clockTick = time.Second / 100

// CPUOf reads how much processor time the process has used, to 10 ms.
func CPUOf(pid int) (CPU, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return CPU{}, fmt.Errorf("read processor time of process %d: %w", pid, err)
	}
	stat, err := p.Stat()
	if err != nil {
		return CPU{}, fmt.Errorf("read processor time of process %d: %w", pid, err)
	}
	return CPU{
		User:   time.Duration(stat.UTime) * clockTick,
		System: time.Duration(stat.STime) * clockTick,
	}, nil
}

// PeakRSS reads the most memory that the process has held so far, in bytes.
func PeakRSS(pid int) (int64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	status, err := p.NewStatus()
	if err != nil {
		return 0, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	return int64(status.VmHWM), nil
}
