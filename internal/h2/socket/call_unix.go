//go:build unix && !linux

package socket

import (
	"errors"
	"syscall"
)

// Systems other than Linux want their calls made by way of their C library.

func readNow(fd uintptr, p []byte) (int, syscall.Errno) { return call(syscall.Read, fd, p) }

func writeNow(fd uintptr, p []byte) (int, syscall.Errno) { return call(syscall.Write, fd, p) }

func call(f func(int, []byte) (int, error), fd uintptr, p []byte) (int, syscall.Errno) {
	for {
		n, err := f(int(fd), p)
		if err == nil {
			return n, 0
		}
		if number, ok := errors.AsType[syscall.Errno](err); ok && number != syscall.EINTR {
			return 0, number
		}
	}
}
