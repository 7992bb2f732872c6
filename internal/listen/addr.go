package listen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
)

// CheckAddr reports an address that Bind would refuse to parse. It binds nothing.
func CheckAddr(addr string) error {
	_, _, err := bindAddr(addr)
	return err
}

// bindAddr splits the address of a listener. Without a host it is on loopback.
func bindAddr(addr string) (host string, port int, err error) {
	host, port, err = splitAddr(addr)
	if err != nil {
		return "", 0, fmt.Errorf("listen on %q: %w: want HOST:PORT, such as 127.0.0.1:8080, or :0 for any free port", addr, err)
	}
	return cmp.Or(host, "127.0.0.1"), port, nil
}

// CheckServer says why addr cannot be the address of a server. The error does not repeat addr.
func CheckServer(addr string) error {
	_, port, err := splitAddr(addr)
	if err == nil && port == 0 {
		err = errPort
	}
	return err
}

var errPort = errors.New("a port is a number from 1 to 65535")

// splitAddr splits "host:port". The port may be the name of a service, and 0 is any
// free one.
func splitAddr(addr string) (host string, port int, err error) {
	if addr == "" {
		return "", 0, errors.New("it is empty")
	}
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, errors.New("it is not a host and a port")
	}
	if strings.ContainsAny(host, "/?#@\\ \t") {
		return "", 0, errors.New("no host has such a name")
	}
	port, err = net.DefaultResolver.LookupPort(context.Background(), "tcp", service)
	if err != nil || service == "" {
		return "", 0, errPort
	}
	return host, port, nil
}
