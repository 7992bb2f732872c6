package process

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"runtime"
)

// UntilStdinEnds returns a context that is done when stdin ends, which happens
// when the program that started this one is gone.
func UntilStdinEnds(ctx context.Context, stdin io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, stdin)
	}()
	return ctx
}

// AnswerControl answers requests on the control socket, if this process has one, until the other
// end closes it. Accepted returns the number of connections that the server has accepted.
func AnswerControl(accepted func() int64) error {
	if os.Getenv(controlVariable) != "3" {
		return nil
	}
	file := os.NewFile(3, "control")
	defer file.Close()
	conn, err := net.FileConn(file)
	if err != nil {
		return err
	}
	go answer(conn, accepted)
	return nil
}

func answer(conn net.Conn, accepted func() int64) {
	defer conn.Close()
	requests, replies := bufio.NewScanner(conn), json.NewEncoder(conn)
	var profiles profiler
	for requests.Scan() {
		reply, ok := replyTo(requests.Text(), accepted, &profiles)
		if !ok || replies.Encode(reply) != nil {
			return
		}
	}
}

func replyTo(request string, accepted func() int64, profiles *profiler) (reply any, ok bool) {
	switch request {
	case statsRequest:
		stats := Own()
		stats.Accepted = accepted()
		return stats, true
	case memoryRequest:
		return freeOwnMemory(), true
	}
	var profile profileRequest
	if json.Unmarshal([]byte(request), &profile) == nil && (profile.Stop || profile.Profile != "") {
		return profiles.answer(profile), true
	}
	return nil, false
}

// Own reads this process's figures, except for its connections. It stops the
// world for some microseconds.
func Own() Stats {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := Stats{
		Allocs:     int64(m.Mallocs),
		AllocBytes: int64(m.TotalAlloc),
		GCPauseNS:  int64(m.PauseTotalNs),
	}
	s.UserNS, s.SystemNS, s.PeakBytes = ownUsage()
	return s
}
