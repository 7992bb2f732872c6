package main

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
)

// stats are what this process knows of itself since its start.
type stats struct {
	Accepted   int64 `json:"connections_accepted"`
	UserNS     int64 `json:"cpu_user_ns"`
	SystemNS   int64 `json:"cpu_system_ns"`
	PeakBytes  int64 `json:"peak_rss_bytes"`
	Allocs     int64 `json:"allocations"`
	AllocBytes int64 `json:"allocated_bytes"`
	GCPauseNS  int64 `json:"gc_pause_ns"`
}

// answerControl answers requests on the control socket, if this process was given
// one, until the other end closes it.
func answerControl(accepted *atomic.Int64) error {
	if os.Getenv("GREET_CONTROL") != "3" {
		return nil
	}
	file := os.NewFile(3, "control")
	defer file.Close()
	conn, err := net.FileConn(file)
	if err != nil {
		return err
	}
	go func() {
		defer conn.Close()
		requests, replies := bufio.NewScanner(conn), json.NewEncoder(conn)
		for requests.Scan() {
			if reply := replyTo(requests.Text(), accepted); replies.Encode(reply) != nil {
				return
			}
		}
	}()
	return nil
}

func replyTo(request string, accepted *atomic.Int64) any {
	switch request {
	case `{"get":"stats"}`:
		s := own()
		s.Accepted = accepted.Load()
		return s
	case `{"get":"memory"}`:
		debug.FreeOSMemory()
		return map[string]bool{"freed": true}
	}
	return map[string]string{"error": "this server does not know how to answer " + request}
}

// own reads this process's figures, except for its connections.
func own() stats {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := stats{
		Allocs:     int64(m.Mallocs),
		AllocBytes: int64(m.TotalAlloc),
		GCPauseNS:  int64(m.PauseTotalNs),
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil {
		s.UserNS, s.SystemNS = u.Utime.Nano(), u.Stime.Nano()
		s.PeakBytes = u.Maxrss << 10 // in KiB on Linux, man 2 getrusage
	}
	return s
}
