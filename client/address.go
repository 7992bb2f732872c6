package main

import (
	"net"
	"slices"
	"strings"

	"example.com/greet/internal/listen"
)

// checkAddresses refuses addresses that no server can have, and an empty file name, which a script
// passes when its variable is unset.
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
		if err := listen.CheckServer(a.addr); err != nil {
			return usagef("--%s %q: %v: want HOST:PORT, such as 127.0.0.1:8080", a.flag, a.addr, err)
		}
	}
	return nil
}

// unknownHost reports whether err says that the host of addr has no address. It reads the text
// because grpc-go passes nothing else on.
func unknownHost(err error, addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	return strings.Contains(err.Error(), "lookup "+host)
}
