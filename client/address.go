package main

import (
	"context"
	"net"
	"slices"
	"strings"
)

// checkAddresses refuses what cannot be the address of a server, and a file without
// a name: a variable of a script that is not set, for example.
func (f *flags) checkAddresses(given []string) error {
	if f.CA == "" && slices.Contains(given, "ca") {
		return usagef("--ca is empty: name the file with the certificates to trust, or leave out --ca to trust those of this system")
	}
	for _, a := range []struct{ flag, addr string }{
		{"addr", f.Addr}, {"connect", f.Connect}, {"tls", f.TLS}, {"grpc", f.GRPC},
	} {
		listener := a.flag != "addr"
		if listener && a.addr == off || !slices.Contains(given, a.flag) {
			continue
		}
		if why := wrongAddress(a.addr); why != "" {
			return usagef("--%s %q: %s: want HOST:PORT, such as 127.0.0.1:8080", a.flag, a.addr, why)
		}
	}
	return nil
}

// wrongAddress says why nothing could listen at addr, or "".
func wrongAddress(addr string) string {
	if addr == "" {
		return "it is empty"
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "it is not a host and a port"
	}
	if strings.ContainsAny(host, "/?#@\\ \t") {
		return "no host has such a name"
	}
	if n, err := net.DefaultResolver.LookupPort(context.Background(), "tcp", port); err != nil || n == 0 {
		return "a port is a number from 1 to 65535"
	}
	return ""
}

// unknownHost reports whether err says that the host of addr has no address. It
// reads the text because grpc-go hands on nothing else.
func unknownHost(err error, addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	return strings.Contains(err.Error(), "lookup "+host)
}
