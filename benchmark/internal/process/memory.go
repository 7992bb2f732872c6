package process

import (
	"fmt"
	"runtime/debug"
	"time"
)

// freePatience is longer than other patience: our own servers collect all garbage before they
// answer, and none may be left to count.
const freePatience = 10 * time.Second

// Memory returns how many bytes of memory the server holds now. Our own servers first
// give back to the system what they have freed; a peer that cannot is read as it is.
func (s *Server) Memory() (int64, error) {
	s.control.freeMemory()
	held, err := Resident(s.PID())
	if err != nil {
		return 0, fmt.Errorf("read memory of server %s: %w", s.name, err)
	}
	return held, nil
}

// freeMemory asks the server to free what it can, and waits for it. A peer that does not understand
// is not asked again.
func (c *control) freeMemory() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.silent || c.keeps {
		return
	}
	_, err := c.ask(memoryRequest, freePatience)
	c.keeps = err != nil
}

// freed is the answer to a memory request.
type freed struct {
	Freed bool `json:"freed"`
}

// freeOwnMemory collects twice, because the contents of a sync.Pool survive one collection.
func freeOwnMemory() freed {
	debug.FreeOSMemory()
	debug.FreeOSMemory()
	return freed{true}
}
