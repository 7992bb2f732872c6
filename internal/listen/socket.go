package listen

import "net"

// Socket is where a server listens: a TCP listener, a UDP packet connection, or
// both on one port number. Whoever bound it closes it.
type Socket struct {
	TCP net.Listener
	UDP net.PacketConn
}
