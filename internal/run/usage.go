package run

import (
	"time"

	"example.com/greet/internal/process"
	"example.com/greet/internal/result"
)

// reading is what the two processes have used so far.
type reading struct {
	client process.Stats
	server *process.Stats // nil if it is not ours to ask
	told   bool           // by the server itself, which counts more than the system does
	at     time.Time
}

// read reads this process's figures and, as far as they are to be had, the
// server's.
func read(s *server) reading {
	r := reading{client: process.Own(), at: time.Now()}
	if s == nil || s.process == nil {
		return r
	}
	stats, err := s.process.Stats()
	r.told = err == nil
	if err != nil {
		stats, err = process.Observe(s.process.PID())
	}
	if err == nil {
		r.server = &stats
	}
	return r
}

// enter fills in what the line's slice has cost from before to after.
func enter(l *result.Line, before, after reading) {
	wall := after.at.Sub(before.at)
	l.Client = difference(before.client, after.client, wall)
	// A server that stopped telling within the slice has died or hangs: what the
	// system has counted of it is no continuation of what it told.
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
