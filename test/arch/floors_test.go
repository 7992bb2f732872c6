package arch_test

import (
	"fmt"
	"go/version"
	"strings"
)

// floor is the oldest version of a module that may serve or call here, and the holes that
// it closes. Where a hole is known to be closed, a test of server/hardening tries it too.
type floor struct {
	module, version string
	closes          string
}

// floors are of what reads from peers. connect-go has had no hole of its own; its floor is
// the release that raised the module with which it reads HTTP/2. "go" is the toolchain,
// and so net/http and crypto/tls.
var floors = []floor{
	{"go", "1.26.6", "CVE-2026-56853, half a preface of h2c; CVE-2026-33814, a frame size of 0 hangs a client"},
	{"golang.org/x/net", "v0.55.0", "CVE-2026-39821; CVE-2026-33814; CVE-2026-27141, a frame that panics; CVE-2023-45288; CVE-2023-44487"},
	{"google.golang.org/grpc", "v1.83.2", "CVE-2026-84445; GO-2026-6348, DATA in small frames; GO-2026-6061, rapid reset; CVE-2026-33186, a path without slash"},
	{"github.com/quic-go/quic-go", "v0.59.1", "CVE-2026-40898; CVE-2025-64702, headers by QPACK; CVE-2025-59530; CVE-2025-29785; CVE-2024-53259"},
	{"google.golang.org/protobuf", "v1.33.0", "CVE-2024-24786, JSON without end"},
	{"connectrpc.com/connect", "v1.16.2", "CVE-2023-45288"},
}

// belowFloors looks at the modules that serve or call: the root, and the peers.
func belowFloors(t tree) (broken []string) {
	for _, m := range t.goMods {
		if strings.HasPrefix(m.file, "tools/") {
			continue
		}
		for _, f := range floors {
			if have, ok := m.required[f.module]; ok && version.Compare(asGo(have), asGo(f.version)) < 0 {
				broken = append(broken, fmt.Sprintf("%s requires %s %s, older than %s, which closes %s", m.file, f.module, have, f.version, f.closes))
			}
		}
	}
	return broken
}

// asGo writes the version of a module, or of Go, as package version compares it.
func asGo(v string) string { return "go" + strings.TrimLeft(v, "vgo") }
