package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// controlVariable is the environment variable with the file descriptor of a child's control socket.
// Without it a child cannot know: descriptor 3 may be the Go runtime's own.
const controlVariable = "GREET_CONTROL"

// The requests there are, as they stand on the wire; see profileRequest for more.
const (
	statsRequest  = `{"get":"stats"}`
	memoryRequest = `{"get":"memory"}` // free what can be freed, then answer
)

// controlPatience is how long an answer on the control socket may take.
const controlPatience = 2 * time.Second

// Stats is what a process knows of itself since its start.
type Stats struct {
	Accepted   int64 `json:"connections_accepted"`
	UserNS     int64 `json:"cpu_user_ns"`
	SystemNS   int64 `json:"cpu_system_ns"`
	PeakBytes  int64 `json:"peak_rss_bytes"`
	Allocs     int64 `json:"allocations"`
	AllocBytes int64 `json:"allocated_bytes"`
	GCPauseNS  int64 `json:"gc_pause_ns"`
	// Observed says that these are the system's figures, because the process reports none. They
	// have neither connections nor allocations.
	Observed bool `json:"observed,omitempty"`
}

// ErrNoStats says that a server does not answer on its control socket.
var ErrNoStats = errors.New("the server tells nothing of itself")

// Stats asks the server for its figures. The error is ErrNoStats if it has never answered, as a
// peer need not. It is not asked again.
func (s *Server) Stats() (Stats, error) { return s.control.stats() }

// StatsOrObserved returns the server's own figures, or the system's if it reports none.
func (s *Server) StatsOrObserved() (Stats, error) {
	stats, err := s.Stats()
	if err != nil {
		stats, err = Observe(s.PID())
		stats.Observed = true
	}
	return stats, err
}

// control is our end of a control socket.
type control struct {
	mu         sync.Mutex
	conn       net.Conn
	answers    *bufio.Reader
	answered   bool
	silent     bool
	keeps      bool // does not answer memory requests
	unprofiled bool // does not answer profile requests
}

// newControl returns our end of a control socket. Without a connection the server
// counts as one that never answers.
func newControl(conn net.Conn) *control {
	if conn == nil {
		return &control{silent: true}
	}
	return &control{conn: conn, answers: bufio.NewReader(conn)}
}

func (c *control) stats() (Stats, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.silent {
		return Stats{}, ErrNoStats
	}
	var stats Stats
	line, err := c.ask(statsRequest, controlPatience)
	if err == nil {
		err = json.Unmarshal(line, &stats)
	}
	switch {
	case err == nil:
		c.answered = true
		return stats, nil
	case c.answered:
		c.silent = true
		return Stats{}, fmt.Errorf("ask server for stats: %w", err)
	}
	c.silent = true
	return Stats{}, ErrNoStats
}

func (c *control) ask(request string, patience time.Duration) ([]byte, error) {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c.conn, request+"\n"); err != nil {
		return nil, err
	}
	return c.answers.ReadBytes('\n')
}

func (c *control) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}
