package socket

import (
	"syscall"
	"unsafe"
)

// The scheduler is told of most system calls, lest one blocks. These do not: the
// runtime's descriptors are non-blocking. Telling it has a price that is paid for
// each batch of input: the first call after a pause wakes the runtime's monitor
// thread, which then looks on in naps of 20 microseconds. Without that, an event
// loop under load has two fifths fewer context switches.

func readNow(fd uintptr, p []byte) (int, syscall.Errno) { return call(syscall.SYS_READ, fd, p) }

func writeNow(fd uintptr, p []byte) (int, syscall.Errno) { return call(syscall.SYS_WRITE, fd, p) }

func call(number, fd uintptr, p []byte) (int, syscall.Errno) {
	for {
		n, _, err := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		switch err {
		case 0:
			return int(n), 0
		case syscall.EINTR:
			continue
		}
		return 0, err
	}
}
