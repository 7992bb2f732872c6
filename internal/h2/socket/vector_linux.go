package socket

import (
	"syscall"
	"unsafe"
)

// vector is a write of several buffers by one system call.
type vector struct {
	wait func(func(fd uintptr) bool) error
	once func(fd uintptr) bool // made once, so that a write allocates nothing
	iov  []syscall.Iovec
	n    int
	err  error
}

func vectored(raw syscall.RawConn) func([][]byte) (int, error) {
	v := &vector{wait: raw.Write}
	v.once = v.write
	return v.run
}

func (v *vector) run(bufs [][]byte) (int, error) {
	v.n, v.err = 0, nil
	v.iov = v.iov[:0]
	for _, b := range bufs {
		if len(b) > 0 {
			v.iov = append(v.iov, syscall.Iovec{Base: unsafe.SliceData(b)})
			v.iov[len(v.iov)-1].SetLen(len(b))
		}
	}
	if len(v.iov) == 0 {
		return 0, nil
	}
	err := v.wait(v.once)
	clear(v.iov) // so that nothing is kept alive by it
	if err != nil {
		return 0, err
	}
	return v.n, v.err
}

func (v *vector) write(fd uintptr) bool {
	for {
		n, _, err := syscall.RawSyscall(syscall.SYS_WRITEV, fd, uintptr(unsafe.Pointer(unsafe.SliceData(v.iov))), uintptr(len(v.iov)))
		switch err {
		case 0:
			v.n = int(n)
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			v.err = err
		}
		return true
	}
}
