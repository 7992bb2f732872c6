package process

import "github.com/prometheus/procfs"

// Resident returns how many bytes of memory the process holds. It reads the rollup, which walks the
// pages. VmRSS in /proc/PID/status costs less, but is a sum of counters per processor that may lag
// behind by hundreds of KiB.
func Resident(pid int) (int64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	held, err := p.ProcSMapsRollup()
	return int64(held.Rss), err
}
