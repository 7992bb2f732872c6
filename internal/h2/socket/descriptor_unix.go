//go:build unix

package socket

import (
	"io"
	"net"
	"syscall"
)

// operation is one direction of a descriptor.
type operation struct {
	wait func(func(fd uintptr) bool) error // of syscall.RawConn: calls until the function returns true
	once func(fd uintptr) bool             // made once, so that an operation allocates nothing
	p    []byte
	n    int
	err  error
}

func ofDescriptor(nc net.Conn) (Socket, bool) {
	file, ok := nc.(syscall.Conn)
	if !ok {
		return Socket{}, false
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return Socket{}, false
	}
	in, out := &operation{wait: raw.Read}, &operation{wait: raw.Write}
	in.once, out.once = in.read, out.write
	return Socket{Read: in.run, TryWrite: out.run, TryWritev: vectored(raw)}, true
}

func (o *operation) run(p []byte) (int, error) {
	o.p, o.n, o.err = p, 0, nil
	if len(p) == 0 {
		return 0, nil
	}
	if err := o.wait(o.once); err != nil {
		return 0, err
	}
	return o.n, o.err
}

// read returns false if there is nothing yet, which has the runtime wait until
// there is, and call again.
func (o *operation) read(fd uintptr) bool {
	n, err := readNow(fd, o.p)
	switch {
	case err == syscall.EAGAIN:
		return false
	case err != 0:
		o.err = err
	case n == 0:
		o.err = io.EOF
	}
	o.n = n
	return true
}

// write returns true even if the socket is full: nobody is to wait until it is not.
func (o *operation) write(fd uintptr) bool {
	n, err := writeNow(fd, o.p)
	if err != 0 && err != syscall.EAGAIN {
		o.err = err
	}
	o.n = n
	return true
}
