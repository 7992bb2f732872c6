package load

import (
	"syscall"
	"time"
)

// nap sleeps for some hundred microseconds, exact to the kernel's timer slack of 50 µs. The
// runtime's own timers can be a millisecond late when nothing else happens: the runtime waits for
// them in epoll_wait, which counts in milliseconds. In an open loop that error would be part of
// each latency, and is several times as long as a call over loopback. The price is that the
// goroutine keeps a thread while it naps. nap is a variable for tests with simulated time.
var nap = func(d time.Duration) {
	left := syscall.NsecToTimespec(d.Nanoseconds())
	_ = syscall.Nanosleep(&left, nil) // when a signal ends it early, the caller naps again
}
