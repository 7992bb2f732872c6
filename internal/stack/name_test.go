package stack

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseName(t *testing.T) {
	tests := []struct {
		in   string
		want Name
	}{
		{"connect-go/connect/h1", Name{Library: "connect-go", Protocol: Connect, Transport: H1}},
		{"grpc-go/grpc/h2c+tuned", Name{Library: "grpc-go", Protocol: GRPC, Transport: H2C, Variants: []string{"tuned"}}},
		{"tonic/grpc/h2+workers=1+json", Name{Library: "tonic", Protocol: GRPC, Transport: H2, Variants: []string{"workers=1", "json"}}},
		{"bare/bytes/tcp", Name{Library: "bare", Protocol: Bytes, Transport: TCP}},
		{"connect-go/call/inproc", Name{Library: "connect-go", Protocol: Call, Transport: InProcess}},
		{"a/grpcweb/h3", Name{Library: "a", Protocol: GRPCWeb, Transport: H3}},
	}
	for _, tt := range tests {
		got, err := ParseName(tt.in)
		if err != nil {
			t.Errorf("ParseName(%q): %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseName(%q) (-want +got):\n%s", tt.in, diff)
		}
		if got.String() != tt.in {
			t.Errorf("ParseName(%q).String() = %q", tt.in, got.String())
		}
	}
}

func TestParseNameErrors(t *testing.T) {
	tests := []struct{ in, wantPart string }{
		{"", "want library/protocol/transport"},
		{"grpc-go", "want library/protocol/transport"},
		{"grpc-go/grpc", "want library/protocol/transport"},
		{"grpc-go/grpc/h2c/x", "want library/protocol/transport"},
		{"/grpc/h2c", `library ""`},
		{"Grpc/grpc/h2c", `library "Grpc"`},
		{"-go/grpc/h2c", `library "-go"`},
		{"grpc-go/thrift/h2c", `protocol "thrift": want one of connect, grpc, grpcweb, bytes, call`},
		{"grpc-go/grpc/udp", `transport "udp": want one of h1, h2c, h2, h3, tcp, inproc`},
		{"grpc-go/grpc/h2c+", `variant ""`},
		{"grpc-go/grpc/h2c+a++b", `variant ""`},
		{"grpc-go/grpc/h2c+A", `variant "A"`},
		{"grpc-go/grpc/h2c+a/b", `variant "a/b"`},
	}
	for _, tt := range tests {
		got, err := ParseName(tt.in)
		if err == nil {
			t.Errorf("ParseName(%q) = %v, want an error", tt.in, got)
		} else if !strings.Contains(err.Error(), tt.wantPart) {
			t.Errorf("ParseName(%q): error %q does not say %q", tt.in, err, tt.wantPart)
		}
	}
}

func TestNameSecure(t *testing.T) {
	for transport, want := range map[string]bool{H1: false, H2C: false, H2: true, H3: true} {
		if got := (Name{Transport: transport}).Secure(); got != want {
			t.Errorf("transport %s: Secure() = %v, want %v", transport, got, want)
		}
	}
}

func TestNameRPC(t *testing.T) {
	tests := []struct {
		name        Name
		rpc, remote bool
	}{
		{Name{Protocol: Connect, Transport: H1}, true, true},
		{Name{Protocol: GRPC, Transport: H3}, true, true},
		{Name{Protocol: Bytes, Transport: TCP}, false, true},
		{Name{Protocol: Call, Transport: InProcess}, false, false},
		{Name{Protocol: GRPC, Transport: TCP}, false, true},
		{Name{Protocol: Connect, Transport: InProcess}, false, false},
	}
	for _, tt := range tests {
		if got := tt.name.RPC(); got != tt.rpc {
			t.Errorf("%s: RPC() = %v, want %v", tt.name, got, tt.rpc)
		}
		if got := tt.name.Remote(); got != tt.remote {
			t.Errorf("%s: Remote() = %v, want %v", tt.name, got, tt.remote)
		}
	}
}

func TestNameWorkers(t *testing.T) {
	for variant, want := range map[string]int{"workers=1": 1, "workers=12": 12, "workers": 0, "workers=many": 0, "workers=-1": 0, "json": 0} {
		if got := (Name{Variants: []string{"tuned", variant}}).Workers(); got != want {
			t.Errorf("+%s: Workers() = %d, want %d", variant, got, want)
		}
	}
}

func TestNameHas(t *testing.T) {
	n := Name{Variants: []string{"json", "workers=1"}}
	for variant, want := range map[string]bool{"json": true, "workers=1": true, "workers": false, "": false} {
		if got := n.Has(variant); got != want {
			t.Errorf("Has(%q) = %v, want %v", variant, got, want)
		}
	}
}

// FuzzParseName checks that a name which is accepted is written as it was read,
// and that a refusal says what it is about.
func FuzzParseName(f *testing.F) {
	for _, s := range []string{"connect-go/connect/h1", "tonic/grpc/h2c+workers=1", "a/b/c", "++", "grpc-go/grpc/h2c+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseName(s)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "stack name ") {
				t.Errorf("ParseName(%q): error %q does not say what it is about", s, err)
			}
			return
		}
		if n.String() != s {
			t.Errorf("ParseName(%q).String() = %q", s, n.String())
		}
	})
}
