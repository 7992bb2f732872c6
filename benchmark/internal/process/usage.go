package process

import (
	"fmt"
	"time"

	"github.com/prometheus/procfs"
)

// clockTick is the unit of times in /proc/PID/stat: USER_HZ, which Linux fixes at
// 100 for every architecture that Go runs on (man 5 proc).
const clockTick = time.Second / 100

// Observe reads the system's figures of a process: its processor time, to 10 ms, and the most
// memory that it has held. It is for processes that do not report their own.
func Observe(pid int) (Stats, error) {
	s, err := observe(pid)
	if err != nil {
		return Stats{}, fmt.Errorf("observe process %d: %w", pid, err)
	}
	return s, nil
}

func observe(pid int) (Stats, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return Stats{}, err
	}
	stat, err := p.Stat()
	if err != nil {
		return Stats{}, err
	}
	status, err := p.NewStatus()
	if err != nil {
		return Stats{}, err
	}
	return Stats{
		UserNS:    int64(stat.UTime) * clockTick.Nanoseconds(),
		SystemNS:  int64(stat.STime) * clockTick.Nanoseconds(),
		PeakBytes: int64(status.VmHWM),
	}, nil
}
