//go:build !unix

package socket

import "net"

func ofDescriptor(net.Conn) (Socket, bool) { return Socket{}, false }
