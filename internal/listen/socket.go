package listen

import (
	"errors"
	"net"
	"sync/atomic"
)

// Socket is where a server listens: a TCP listener, a UDP packet connection, or
// both on one port number. Whoever bound it closes it.
type Socket struct {
	TCP net.Listener
	UDP net.PacketConn

	udp6     net.PacketConn // the IPv6 half of UDP when the host is "localhost", else nil
	accepted *atomic.Int64  // counts QUIC connections; nil when nobody asked
}

// Addr is the address that the socket listens on, "host:port". For "localhost"
// it is the IPv4 one.
func (s Socket) Addr() string {
	switch {
	case s.TCP != nil:
		return s.TCP.Addr().String()
	case s.UDP != nil:
		return s.UDP.LocalAddr().String()
	}
	return ""
}

// Close closes whatever is open. A socket that its server has closed already is
// no error.
func (s Socket) Close() error {
	var errs []error
	if s.TCP != nil {
		errs = append(errs, s.TCP.Close())
	}
	for _, conn := range s.packetConns() {
		errs = append(errs, conn.Close())
	}
	for i, err := range errs {
		if errors.Is(err, net.ErrClosed) {
			errs[i] = nil
		}
	}
	return errors.Join(errs...)
}

// packetConns lists the UDP halves of the socket: none, one, or two.
func (s Socket) packetConns() []net.PacketConn {
	var conns []net.PacketConn
	if s.UDP != nil {
		conns = append(conns, s.UDP)
	}
	if s.udp6 != nil {
		conns = append(conns, s.udp6)
	}
	return conns
}

// Counted returns a socket that adds every connection to n: TCP ones when accepted, QUIC ones when
// the handshake is accepted.
func Counted(s Socket, n *atomic.Int64) Socket {
	if s.TCP != nil {
		s.TCP = countingListener{s.TCP, n}
	}
	s.accepted = n
	return s
}

type countingListener struct {
	net.Listener
	n *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.n.Add(1)
	}
	return conn, err
}
