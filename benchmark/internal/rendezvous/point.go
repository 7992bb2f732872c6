package rendezvous

import (
	"errors"
	"time"
)

// Point is a place in the run that all workers pass in order. They have joined at the lowest.
type Point int

// Joined is the point at which the run begins.
const Joined Point = 0

// enter returns the first point of a slice. Slices are counted from 0 over the whole run.
func enter(slice int) Point { return Point(3*slice + 1) }

// Enter is passed before a worker opens its connections for the slice.
func Enter(slice int) Point { return enter(slice) }

// Begin is passed after the warm-up. The window begins at the time that Pass returns for it.
func Begin(slice int) Point { return enter(slice) + 1 }

// End is passed when the worker's last call of the slice has ended.
func End(slice int) Point { return enter(slice) + 2 }

// errClosed says that the other end has closed the connection.
var errClosed = errors.New("it closed the connection")

// clock is a wall clock that never steps. It reads the system's wall clock once and adds the
// monotonic time since then.
type clock struct {
	base time.Time
	wall int64 // what the wall clock read at base, in nanoseconds since 1970
}

func newClock() clock {
	now := time.Now()
	return clock{now, now.UnixNano()}
}

// read is the clock's time at t, in nanoseconds since 1970.
func (c clock) read(t time.Time) int64 { return c.wall + t.Sub(c.base).Nanoseconds() }

func (c clock) now() int64 { return c.read(time.Now()) }

// at is the time, with its monotonic part, at which the clock reads ns.
func (c clock) at(ns int64) time.Time { return c.base.Add(time.Duration(ns - c.wall)) }
