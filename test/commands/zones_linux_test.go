package commands_test

import (
	"net"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"example.com/greet/test/built"
)

// TestAddressesWithZones has every client call servers whose address names an
// interface, as addresses of a link do: [fe80::1%eth0]:8080.
func TestAddressesWithZones(t *testing.T) {
	_ = built.Command(t.Context(), t, "server") // builds, which may need a network
	enterNetworkWith(t, "fe80::1")
	const free = "[fe80::1%lo]:0"
	server := built.Command(t.Context(), t, "server", "--connect", free, "--tls", free, "--grpc", free)
	addr := built.Serve(t, server, "connect", "tls", "grpc")
	out, log, status := built.Run(t, "client", "--matrix", "--insecure",
		"--connect", addr["connect"], "--tls", addr["tls"], "--grpc", addr["grpc"])
	if status != 0 {
		t.Errorf("client --matrix: status %d, %s\n%s", status, log, out)
	}
	for _, client := range []string{"own", "floor"} {
		out, log, status = built.Run(t, "benchmark", "--client", client, "--scenarios", "unary", "--cases", "concurrency 1 ",
			"--rounds", "1", "--slice", "20ms", "--out", t.TempDir(),
			"--target", "mine/grpc/h2c="+addr["grpc"], "--target", "mine/connect/h1="+addr["connect"])
		if status != 0 {
			t.Errorf("benchmark --client %s: status %d, %s\n%s", client, status, log, out)
		}
	}
}

// enterNetworkWith moves this goroutine, and the processes that it starts, to a network
// of its own, whose loopback interface has the address beside ::1.
func enterNetworkWith(t *testing.T, address string) {
	t.Helper()
	runtime.LockOSThread() // and never unlocks it, so that the thread ends with the goroutine
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("make a network: %v", err)
		}
		t.Skipf("make a network, which takes root: %v", err)
	}
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Skipf("the machine has no IPv6: %v", err)
	}
	defer unix.Close(fd)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	up.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, up); err != nil {
		t.Fatalf("bring lo up: %v", err)
	}
	// struct in6_ifreq of <linux/ipv6.h>; the first interface of a network is lo.
	request := struct {
		address       [16]byte
		prefix, index int32
	}{[16]byte(net.ParseIP(address).To16()), 64, 1}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFADDR, uintptr(unsafe.Pointer(&request))); errno != 0 {
		t.Fatalf("give lo the address %s: %v", address, errno)
	}
}
