// Package socket reads from and writes to a net.Conn with as few system calls and
// as few wake-ups as Go allows.
//
// It owns how bytes get in and out, and refuses to know what they mean. A socket
// is used by an event loop: one goroutine reads, and whoever holds the loop's lock
// writes.
package socket

import "net"

// Socket is the connection's file descriptor, or the connection itself where there
// is none, or the system is not known well enough.
type Socket struct {
	Read     func(p []byte) (int, error) // as io.Reader has it
	TryWrite func(p []byte) (int, error) // what the connection takes at once, which may be nothing
	// TryWritev is TryWrite of several buffers in a row. It is nil where that cannot be
	// done by one system call.
	TryWritev func(bufs [][]byte) (int, error)
}

// New returns the socket of a connection. Deadlines, and Close, are the
// connection's.
func New(nc net.Conn) Socket {
	if s, ok := ofDescriptor(nc); ok {
		return s
	}
	return Socket{Read: nc.Read, TryWrite: func([]byte) (int, error) { return 0, nil }}
}
