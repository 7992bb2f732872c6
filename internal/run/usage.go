package run

import (
	"errors"
	"os"
	"runtime"

	"example.com/greet/internal/process"
	"example.com/greet/internal/result"
)

// reading is what the two processes have used so far.
type reading struct {
	client, server *result.Usage
	accepted       *int64
}

// read reads this process and the server's, as far as they tell: what is not to
// be had is nil.
func read(s *server) reading {
	r := reading{client: ownUsage()}
	if s == nil || s.process == nil {
		return r
	}
	if cpu, err := process.CPUOf(s.process.PID()); err == nil {
		r.server = &result.Usage{UserNS: cpu.User.Nanoseconds(), SystemNS: cpu.System.Nanoseconds()}
		r.server.PeakBytes, err = process.PeakRSS(s.process.PID())
		if err != nil {
			r.server.PeakBytes = 0
		}
	}
	stats, err := s.process.Stats()
	if err != nil {
		return r
	}
	r.accepted = &stats.Accepted
	if r.server != nil {
		r.server.Allocs, r.server.AllocBytes, r.server.GCPauseNS = stats.Allocs, stats.AllocBytes, stats.GCPauseNS
	}
	return r
}

func ownUsage() *result.Usage {
	var u result.Usage
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.Allocs, u.AllocBytes, u.GCPauseNS = int64(m.Mallocs), int64(m.TotalAlloc), int64(m.PauseTotalNs)
	cpu, cpuErr := process.CPUOf(os.Getpid())
	peak, peakErr := process.PeakRSS(os.Getpid())
	if errors.Join(cpuErr, peakErr) == nil {
		u.UserNS, u.SystemNS, u.PeakBytes = cpu.User.Nanoseconds(), cpu.System.Nanoseconds(), peak
	}
	return &u
}

// since returns what has been used from before to r. Peaks stay what they are.
func (r reading) since(before reading) reading {
	d := reading{client: difference(r.client, before.client), server: difference(r.server, before.server)}
	if r.accepted != nil && before.accepted != nil {
		n := *r.accepted - *before.accepted
		d.accepted = &n
	}
	return d
}

func difference(after, before *result.Usage) *result.Usage {
	if after == nil || before == nil {
		return nil
	}
	return &result.Usage{
		UserNS:     after.UserNS - before.UserNS,
		SystemNS:   after.SystemNS - before.SystemNS,
		Allocs:     after.Allocs - before.Allocs,
		AllocBytes: after.AllocBytes - before.AllocBytes,
		GCPauseNS:  after.GCPauseNS - before.GCPauseNS,
		PeakBytes:  after.PeakBytes,
	}
}
