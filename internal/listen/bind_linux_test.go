package listen_test

import (
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

// TestBindIsPlainTCP asks the system, since Go listens for multipath TCP by default.
func TestBindIsPlainTCP(t *testing.T) {
	raw, err := mustBind(t, "127.0.0.1:0", false).TCP.(*net.TCPListener).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var protocol int
	var asked error
	err = raw.Control(func(fd uintptr) {
		protocol, asked = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_PROTOCOL)
	})
	if err != nil || asked != nil || protocol != unix.IPPROTO_TCP {
		t.Errorf("protocol %d, %v, %v; want %d, TCP", protocol, err, asked, unix.IPPROTO_TCP)
	}
}
