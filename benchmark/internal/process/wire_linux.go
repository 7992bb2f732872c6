package process

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// ReadWire reads this process's open connections to the address, an IP and a port. It asks the
// system rather than wrap connections, so that clients are measured unchanged. Over QUIC there are
// none: the system counts no bytes of UDP sockets.
func ReadWire(addr string) (Wire, error) {
	peer, err := netip.ParseAddrPort(addr)
	if err != nil {
		return Wire{}, fmt.Errorf("read connections: %w", err)
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return Wire{}, fmt.Errorf("read connections to %s: %w", addr, err)
	}
	var w Wire
	for _, file := range files {
		fd, err := strconv.Atoi(file.Name())
		if err != nil || !connectedTo(fd, peer) {
			continue
		}
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			continue // it was closed meanwhile, or is a UDP socket
		}
		w.Ports = append(w.Ports, localPort(fd))
		w.Sent += int64(info.Bytes_sent)
		w.Received += int64(info.Bytes_received)
	}
	slices.Sort(w.Ports)
	return w, nil
}

// connectedTo reports whether the file is a socket with that peer.
func connectedTo(fd int, peer netip.AddrPort) bool {
	address, err := unix.Getpeername(fd)
	return err == nil && addrPort(address) == peer
}

// localPort is 0 if the file was closed meanwhile.
func localPort(fd int) int {
	address, err := unix.Getsockname(fd)
	if err != nil {
		return 0
	}
	return int(addrPort(address).Port())
}

// addrPort is zero for an address that is not of IP.
func addrPort(address unix.Sockaddr) netip.AddrPort {
	switch a := address.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr), uint16(a.Port))
	}
	return netip.AddrPort{}
}
