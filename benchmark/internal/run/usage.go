package run

import (
	"os"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
)

// reading is what the two processes have used so far.
type reading struct {
	client *process.Stats // nil if there is no such process, or it has ended
	server *process.Stats // nil if we cannot ask it
	told   bool           // the server itself told, which counts more than the system
	at     time.Time      // without the time of waiting for others
}

// read reads the usage of the calling process and, if possible, the server's.
func read(e plan.Entry, s *server, waited time.Duration) reading {
	r := reading{client: readClient(e, s), at: time.Now().Add(-waited)}
	if s == nil || s.figures == nil || !e.Calls() {
		return r
	}
	if stats, err := s.figures(); err == nil {
		r.server, r.told = &stats, !stats.Observed
	}
	return r
}

func readClient(e plan.Entry, s *server) *process.Stats {
	pid := os.Getpid()
	if e.Caller != nil && s != nil {
		pid = e.Caller.Process(s.Server)
	}
	if pid == os.Getpid() {
		own := process.Own()
		return &own
	}
	stats, err := process.Observe(pid)
	if pid == 0 || err != nil {
		return nil
	}
	return &stats
}

// enter adds the usage from before to after to the line.
func enter(l *result.Line, before, after reading) {
	wall := after.at.Sub(before.at)
	if before.client != nil && after.client != nil {
		l.Client = difference(*before.client, *after.client, wall)
	}
	// A server that stopped telling within the slice has died or hangs. The system's count does
	// not continue the server's own.
	if before.server == nil || after.server == nil || before.told != after.told {
		return
	}
	l.Server = difference(*before.server, *after.server, wall)
	if after.told {
		n := after.server.Accepted - before.server.Accepted
		l.Accepted = &n
	}
}

func difference(before, after process.Stats, wall time.Duration) *result.Usage {
	return &result.Usage{
		UserNS:     after.UserNS - before.UserNS,
		SystemNS:   after.SystemNS - before.SystemNS,
		Allocs:     after.Allocs - before.Allocs,
		AllocBytes: after.AllocBytes - before.AllocBytes,
		GCPauseNS:  after.GCPauseNS - before.GCPauseNS,
		PeakBytes:  after.PeakBytes, // of the process so far
		WallNS:     wall.Nanoseconds(),
	}
}
