package commands_test

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"example.com/greet/test/built"
)

// serveEverywhere starts a server whose listeners all have the address.
func serveEverywhere(t *testing.T, at string) (addr map[string]string) {
	t.Helper()
	server := built.Command(t.Context(), t, "server", "--connect", at, "--tls", at, "--grpc", at)
	return built.Serve(t, server, "connect", "tls", "grpc")
}

// callEveryWay has every client call the server, over each wire.
func callEveryWay(t *testing.T, addr map[string]string) {
	t.Helper()
	out, log, status := built.Run(t, "client", "--matrix", "--insecure",
		"--connect", addr["connect"], "--tls", addr["tls"], "--grpc", addr["grpc"])
	if status != 0 {
		t.Errorf("client --matrix: status %d, %s\n%s", status, log, out)
	}
	for _, client := range []string{"own", "floor"} {
		out, log, status = built.Run(t, "benchmark", "--client", client, "--scenarios", "unary", "--cases", "concurrency 1 ",
			"--rounds", "1", "--slice", "200ms", "--out", t.TempDir(),
			"--target", "mine/grpc/h2c="+addr["grpc"], "--target", "mine/connect/h1="+addr["connect"])
		if status != 0 {
			t.Errorf("benchmark --client %s: status %d, %s\n%s", client, status, log, out)
		}
	}
}

// TestAddressesWithZones has addresses that name an interface, as those of a link do:
// [fe80::1%eth0]:8080.
func TestAddressesWithZones(t *testing.T) {
	enterNetwork(t)
	callEveryWay(t, serveEverywhere(t, "[fe80::1%lo]:0"))
}

// TestNamesWithSeveralAddresses has a server that listens at the second address of its
// name.
func TestNamesWithSeveralAddresses(t *testing.T) {
	enterNetwork(t)
	addr := serveEverywhere(t, "[::1]:0")
	for label, at := range addr {
		addr[label] = strings.Replace(at, "[::1]", "both.test", 1)
	}
	callEveryWay(t, addr)
}

// TestNamesThatNobodyResolves asks a name server that never answers: a call ends at its
// deadline all the same.
func TestNamesThatNobodyResolves(t *testing.T) {
	enterNetwork(t)
	silent, err := net.ListenPacket("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, wire := range []string{"--transport h1", "--transport h2", "--transport h3", "--lib grpc-go"} {
		args := append(strings.Fields(wire), "--addr", "slow.test:80", "--mode", "unary", "--timeout", "100ms")
		began := time.Now()
		_, log, status := built.Run(t, "client", args...)
		if took := time.Since(began); took > 4*time.Second || status != 1 || !strings.Contains(log, "deadline_exceeded") {
			t.Errorf("client %s: status %d after %v, %s", wire, status, took, log)
		}
	}
}

// enterNetwork moves this goroutine, and the processes that it starts, to a network of
// its own. Its loopback interface has the address fe80::1 beside ::1, both.test is
// 127.0.0.1 and ::1, and all other names are up to a name server at 127.0.0.1.
func enterNetwork(t *testing.T) {
	t.Helper()
	_ = built.Command(t.Context(), t, "server") // builds, which may need the network that there is
	runtime.LockOSThread()                      // and never unlocks it: the thread ends with the goroutine
	if err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWNS); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("make a network: %v", err)
		}
		t.Skipf("make a network, which takes root: %v", err)
	}
	raiseLoopback(t)
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatalf("keep mounts to this thread: %v", err)
	}
	for name, text := range map[string]string{
		"/etc/hosts":       "127.0.0.1 localhost both.test\n::1 both.test\n",
		"/etc/resolv.conf": "nameserver 127.0.0.1\n",
	} {
		ours := filepath.Join(t.TempDir(), filepath.Base(name))
		if err := os.WriteFile(ours, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mount(ours, name, "", unix.MS_BIND, ""); err != nil {
			t.Fatalf("replace %s: %v", name, err)
		}
	}
}

func raiseLoopback(t *testing.T) {
	t.Helper()
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
	}{[16]byte(net.ParseIP("fe80::1").To16()), 64, 1}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFADDR, uintptr(unsafe.Pointer(&request))); errno != 0 {
		t.Fatalf("give lo the address fe80::1: %v", errno)
	}
}
