package stack

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Protocols that a stack can speak.
const (
	Connect = "connect"
	GRPC    = "grpc"
	GRPCWeb = "grpcweb"
)

// Protocols that are no RPC, for comparison.
const (
	Bytes = "bytes" // a length and so many bytes
	Call  = "call"  // a function call
)

// Transports that a stack can speak over.
const (
	H1  = "h1"  // HTTP/1.1 without TLS
	H2C = "h2c" // HTTP/2 without TLS, by prior knowledge (RFC 9113, section 3.3)
	H2  = "h2"  // HTTP/2 over TLS
	H3  = "h3"  // HTTP/3
)

// Transports without HTTP, of stacks for comparison.
const (
	TCP       = "tcp"    // a bare connection
	InProcess = "inproc" // none: client and server are one process
)

// Variants that use package h2http for HTTP/2 instead of net/http.
const (
	FastHTTP2       = "fast-h2" // at both ends
	FastHTTP2Server = "fast-h2-server"
	FastHTTP2Client = "fast-h2-client"
)

var (
	protocols  = []string{Connect, GRPC, GRPCWeb, Bytes, Call}
	transports = []string{H1, H2C, H2, H3, TCP, InProcess}
	word       = regexp.MustCompile(`^[a-z0-9]([a-z0-9._=-]*[a-z0-9])?$`)
)

// Name identifies a stack: library/protocol/transport, with variants after a
// plus sign each, such as "connect-go/connect/h2c+json".
type Name struct {
	Library   string
	Protocol  string
	Transport string
	Variants  []string
}

// String writes the name as ParseName reads it.
func (n Name) String() string {
	base := n.Library + "/" + n.Protocol + "/" + n.Transport
	return strings.Join(append([]string{base}, n.Variants...), "+")
}

// Has reports whether the name carries the variant.
func (n Name) Has(variant string) bool { return slices.Contains(n.Variants, variant) }

// Secure reports whether the transport runs over TLS.
func (n Name) Secure() bool { return n.Transport == H2 || n.Transport == H3 }

// Remote reports whether calls go over a network to a separate server.
func (n Name) Remote() bool { return n.Transport != InProcess }

// RPC reports whether the stack is an RPC library over HTTP. Every scenario measures those. The
// others are rungs of a ladder that shows where the time goes.
func (n Name) RPC() bool {
	return n.Protocol != Bytes && n.Protocol != Call && n.Transport != TCP && n.Transport != InProcess
}

// Workers is the number of processors that a variant such as "workers=1" gives to a server of ours;
// 0 means all of them.
func (n Name) Workers() int {
	for _, v := range n.Variants {
		if count, ok := strings.CutPrefix(v, "workers="); ok {
			workers, _ := strconv.Atoi(count)
			return max(0, workers)
		}
	}
	return 0
}

// ParseName reads a name. Its errors say which part is wrong and what would work.
func ParseName(s string) (Name, error) {
	base, variants, _ := strings.Cut(s, "+")
	parts := strings.Split(base, "/")
	if len(parts) != 3 {
		return Name{}, fmt.Errorf("stack name %q: want library/protocol/transport[+variant], such as grpc-go/grpc/h2c", s)
	}
	n := Name{Library: parts[0], Protocol: parts[1], Transport: parts[2]}
	if !word.MatchString(n.Library) {
		return Name{}, fmt.Errorf("stack name %q: library %q: want lower-case letters, digits and dashes", s, n.Library)
	}
	if !slices.Contains(protocols, n.Protocol) {
		return Name{}, fmt.Errorf("stack name %q: protocol %q: want one of %s", s, n.Protocol, strings.Join(protocols, ", "))
	}
	if !slices.Contains(transports, n.Transport) {
		return Name{}, fmt.Errorf("stack name %q: transport %q: want one of %s", s, n.Transport, strings.Join(transports, ", "))
	}
	if strings.Contains(s, "+") {
		n.Variants = strings.Split(variants, "+")
	}
	for _, v := range n.Variants {
		if !word.MatchString(v) {
			return Name{}, fmt.Errorf("stack name %q: variant %q: want lower-case letters, digits, dashes and =", s, v)
		}
	}
	return n, nil
}

// UnmarshalText implements encoding.TextUnmarshaler, for names in JSON.
func (n *Name) UnmarshalText(text []byte) (err error) {
	*n, err = ParseName(string(text))
	return err
}
