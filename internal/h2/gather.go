package h2

import "runtime"

// Post is Do for many goroutines that each have a little to send: a goroutine writes
// what they have all left, once those that are ready to run have had their turn. So
// under load one system call serves many of them.
func (c *Conn) Post(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = 0
	f()
	c.settle()
	switch {
	case c.failure != nil || len(c.out) >= highWater:
		c.finish()
	case len(c.out) > 0 && !c.gathering && !c.writing:
		c.gathering = true
		go c.gather()
	}
}

// gather writes what others have left, after it has let them leave more.
func (c *Conn) gather() {
	runtime.Gosched()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gathering = false
	c.now = 0
	c.finish()
}
