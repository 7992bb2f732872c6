package scenario

import "context"

// Meter observes the two processes of a measurement: this one, the client, and the server's. It is
// used by one goroutine.
type Meter interface {
	// Read reads what both have used since they began.
	Read() (Reading, error)
	// Syscalls counts the system calls that a process makes while f runs, by name. The error says
	// why they cannot be counted; f may have run nevertheless.
	Syscalls(of Side, f func()) (map[string]int64, error)
	// Start starts another server of the target's stack, with the wrapper's words before its
	// command line. The caller stops it.
	Start(ctx context.Context, wrapper ...string) (Setup, func() error, error)
}

// Side is one of the two processes.
type Side string

// The two sides, as metrics name them.
const (
	ClientSide Side = "client"
	ServerSide Side = "server"
)

// Reading is what the two processes have used.
type Reading struct {
	Client, Server Totals
	// Ports are the client's ends of its open connections to the server, and the bytes are those
	// on all of them, as the client sees them. There are none if the system does not count bytes,
	// as with QUIC.
	Ports          []int
	Sent, Received int64
}

// Totals is what a process has used since it began. A total of 0 is unknown.
type Totals struct {
	UserNS, SystemNS       int64 // processor time
	Voluntary, Involuntary int64 // context switches of all its threads
	Allocs, AllocBytes     int64 // of the Go heap
}
