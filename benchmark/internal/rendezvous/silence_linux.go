package rendezvous

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// boundSilence has data count as lost that is not acknowledged in time. Without it a
// machine that is cut off just after something was sent to it is tried for a quarter of an
// hour, and probed not at all (RFC 5482). A connection has it from its listener.
func boundSilence(_, _ string, conn syscall.RawConn) error {
	var set error
	err := conn.Control(func(fd uintptr) {
		set = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
	})
	return errors.Join(err, set)
}
