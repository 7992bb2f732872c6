package load

import (
	"syscall"
	"time"
)

// nap sleeps for a time of some hundred microseconds, good to the kernel's timer
// slack of 50 µs. The runtime's own timers are good to a millisecond only where
// nothing else happens: it waits for them in epoll_wait, which counts in
// milliseconds. In an open loop that error would stand on top of each latency, and
// is several times as long as a call over loopback takes. The price is that the
// goroutine keeps a thread while it naps. It is a variable for tests in which time
// is not real.
var nap = func(d time.Duration) {
	left := syscall.NsecToTimespec(d.Nanoseconds())
	_ = syscall.Nanosleep(&left, nil) // when a signal ends it early, the caller naps again
}
