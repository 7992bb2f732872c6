package listen

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// bindAttempts bounds the search for a port number that is free everywhere it is wanted. The first
// attempt nearly always succeeds.
const bindAttempts = 20

// Bind opens TCP, UDP, or both on one port number at addr, "host:port". Port 0 takes a free one. An
// empty host means 127.0.0.1, because other machines should reach a demo only if asked for.
// "localhost" means both loopback addresses where the machine has both: browsers try [::1] first,
// and for QUIC they try nothing else.
//
// An error is one line that says the address and what to do.
func Bind(addr string, tcp, udp bool) (Socket, error) {
	host, port, err := bindAddr(addr)
	if err != nil {
		return Socket{}, err
	}
	var s Socket
	for range bindAttempts {
		s, err = bind(host, port, tcp, udp)
		if port != 0 || !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	if err != nil {
		return Socket{}, explain(addr, err)
	}
	return s, nil
}

// bind binds host, or both loopback addresses on one port for "localhost".
func bind(host string, port int, tcp, udp bool) (Socket, error) {
	if host != "localhost" {
		return bindHost(host, port, tcp, udp)
	}
	v4, err := bindHost("127.0.0.1", port, tcp, udp)
	if err != nil {
		return Socket{}, err
	}
	v6, err := bindHost("::1", v4.port(), tcp, udp)
	if errors.Is(err, syscall.EADDRINUSE) {
		return Socket{}, errors.Join(err, v4.Close())
	}
	if err != nil {
		return v4, nil //nolint:nilerr // the machine has no IPv6, which is fine
	}
	s := Socket{UDP: v4.UDP, udp6: v6.UDP}
	if tcp {
		s.TCP = join(v4.TCP, v6.TCP)
	}
	return s, nil
}

func bindHost(host string, port int, tcp, udp bool) (Socket, error) {
	var s Socket
	var err error
	var config net.ListenConfig
	// Go listens for multipath TCP unless told not to. Servers in other languages do not, and a
	// comparison needs the same kind of socket.
	config.SetMultipathTCP(false)
	ctx := context.Background() // binding a literal address blocks on nothing
	if tcp {
		s.TCP, err = config.Listen(ctx, "tcp", joinAddr(host, port))
		if err != nil {
			return Socket{}, err
		}
		port = s.port()
	}
	if udp {
		s.UDP, err = config.ListenPacket(ctx, "udp", joinAddr(host, port))
		if err != nil {
			return Socket{}, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func joinAddr(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

// port is the port number that both halves share.
func (s Socket) port() int {
	_, text, _ := net.SplitHostPort(s.Addr())
	port, _ := strconv.Atoi(text)
	return port
}

// explain turns the system's error into one that says what to do.
func explain(addr string, err error) error {
	network := "TCP"
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Net == "udp" {
		network = "UDP"
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("listen on %s: %s %w; stop the program that has it, or choose another port (0 takes a free one)", addr, network, syscall.EADDRINUSE)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("listen on %s: %w; ports below 1024 need privileges", addr, syscall.EACCES)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("listen on %s: %w; this machine has no such address", addr, syscall.EADDRNOTAVAIL)
	}
	return fmt.Errorf("listen on %s: %w", addr, err)
}
