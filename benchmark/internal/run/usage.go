package run

import (
	"time"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
)

// reading is what the two processes have used so far.
type reading struct {
	client *process.Stats // nil if it is a peer's, and has ended
	server *process.Stats // nil if it is not ours to ask
	told   bool           // by the server itself, which counts more than the system does
	at     time.Time
}

// read reads the figures of this process, or of the peer's client that calls in its
// place, and, as far as they are to be had, the server's.
func read(s *server, client string) reading {
	r := reading{client: readClient(s, client), at: time.Now()}
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

func readClient(s *server, client string) *process.Stats {
	stats := process.Own()
	if s == nil || s.clients[client] == nil {
		return &stats
	}
	peer := s.clients[client]
	if peer.start() != nil {
		return nil
	}
	stats, err := process.Observe(peer.process.PID())
	if err != nil {
		return nil
	}
	return &stats
}

// enter fills in what the line's slice has cost from before to after.
func enter(l *result.Line, before, after reading) {
	wall := after.at.Sub(before.at)
	if before.client != nil && after.client != nil {
		l.Client = difference(*before.client, *after.client, wall)
	}
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
