package hardening_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The two ends of a link: a test's own, and that of its servers.
var (
	nearEnd = net.IPv4(10, 9, 0, 1)
	farEnd  = net.IPv4(10, 9, 0, 2)
)

// faults are what a link does to packets. They are what tc netem does, which many kernels
// lack, and which a network of one machine needs root for.
type faults struct {
	delay   time.Duration // of each packet
	loss    float64       // share of packets that get lost
	reorder float64       // share of packets that are not delayed, and so overtake others
}

// link joins this process's network to another one, which only the processes have that
// startFar starts. It reads packets at either end, and writes them at the other.
type link struct {
	faults
	cut   atomic.Bool // loses everything
	ends  [2]*os.File
	moves sync.WaitGroup
	far   chan func() // runs on a thread in the other network
}

// newLink makes both networks and joins them. The process must have a network of its own.
func newLink(t *testing.T, f faults) *link {
	t.Helper()
	l := &link{faults: f, far: make(chan func())}
	made := make(chan error)
	go func() {
		runtime.LockOSThread() // for ever: the thread ends with the goroutine
		err := unix.Unshare(unix.CLONE_NEWNET)
		if err == nil {
			l.ends[1], err = openTUN(farEnd)
		}
		made <- err
		for do := range l.far {
			do()
		}
	}()
	err := <-made
	if err == nil {
		l.ends[0], err = openTUN(nearEnd)
	}
	t.Cleanup(l.close)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) {
		t.Skipf("making a link is not permitted here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.moves.Go(func() { l.move(l.ends[0], l.ends[1]) })
	l.moves.Go(func() { l.move(l.ends[1], l.ends[0]) })
	return l
}

func (l *link) close() {
	close(l.far)
	for _, end := range l.ends {
		if end != nil {
			_ = end.Close() // which ends move
		}
	}
	l.moves.Wait()
}

// startFar starts a command in the other network.
func (l *link) startFar(cmd *exec.Cmd) error {
	started := make(chan error)
	l.far <- func() { started <- cmd.Start() }
	return <-started
}

// move carries packets one way until the link is closed. Those that are late by the same
// time keep their order.
func (l *link) move(from, to *os.File) {
	type packet struct {
		bytes []byte
		due   time.Time
	}
	late := make(chan packet, 4096)
	defer close(late)
	l.moves.Go(func() {
		for p := range late {
			time.Sleep(time.Until(p.due))
			_, _ = to.Write(p.bytes) // a packet may get lost
		}
	})
	for {
		buffer := make([]byte, 2048)
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		switch {
		case l.cut.Load() || rand.Float64() < l.loss:
		case rand.Float64() < l.reorder:
			_, _ = to.Write(buffer[:n])
		default:
			select {
			case late <- packet{buffer[:n], time.Now().Add(l.delay)}:
			default: // as a router whose queue is full
			}
		}
	}
}

// openTUN makes a device whose packets the caller reads and writes, with the address.
func openTUN(ip net.IP) (*os.File, error) {
	const name = "greet0"
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err == nil {
		err = configure(name, ip)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a TUN device: %w", err), unix.Close(fd))
	}
	// Only now: a descriptor without a device would be polled in vain.
	return os.NewFile(uintptr(fd), name), nil
}

// configure gives a device an address in a network of four, and brings it up.
func configure(name string, ip net.IP) error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	for _, step := range []struct {
		request uint
		set     func(*unix.Ifreq) error
	}{
		{unix.SIOCSIFADDR, func(r *unix.Ifreq) error { return r.SetInet4Addr(ip.To4()) }},
		{unix.SIOCSIFNETMASK, func(r *unix.Ifreq) error { return r.SetInet4Addr(net.IPv4Mask(255, 255, 255, 252)) }},
		{unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING); return nil }},
	} {
		request, err := unix.NewIfreq(name)
		if err == nil {
			err = step.set(request)
		}
		if err == nil {
			err = unix.IoctlIfreq(socket, step.request, request)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
