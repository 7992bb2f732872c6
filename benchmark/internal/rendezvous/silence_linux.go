package rendezvous

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// boundSilence lets a connection fail if data is not acknowledged in time. Otherwise the kernel
// would send again for a quarter of an hour, without any probe, to a machine that was cut off just
// after something was sent to it (RFC 5482). A listener passes the setting on to its connections.
func boundSilence(_, _ string, conn syscall.RawConn) error {
	var set error
	err := conn.Control(func(fd uintptr) {
		set = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
	})
	return errors.Join(err, set)
}
