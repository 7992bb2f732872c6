//go:build unix

package h2

import (
	"net"
	"syscall"
)

// socket writes to a file descriptor without waiting.
type socket struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool // made once, so that a write allocates nothing
	p    []byte
	n    int
	err  error
}

// tryWriter returns a function that writes as much as the connection takes at
// once, which is nothing if one cannot know.
func tryWriter(nc net.Conn) func([]byte) (int, error) {
	file, ok := nc.(syscall.Conn)
	if !ok {
		return func([]byte) (int, error) { return 0, nil }
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return func([]byte) (int, error) { return 0, err }
	}
	s := &socket{raw: raw}
	s.call = s.write
	return s.try
}

func (s *socket) try(p []byte) (int, error) {
	s.p, s.n, s.err = p, 0, nil
	if err := s.raw.Write(s.call); err != nil {
		return 0, err
	}
	return s.n, s.err
}

// write returns true, which tells the runtime not to wait until the socket has
// room and call again.
func (s *socket) write(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), s.p)
		switch err {
		case nil:
			s.n = n
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			s.err = err
		}
		return true
	}
}
