package listen_test

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/greet/internal/listen"
)

// mustBind binds addr for TCP, and for UDP too if that is wanted, and closes the socket with the test.
func mustBind(t *testing.T, addr string, udp bool) listen.Socket {
	t.Helper()
	s, err := listen.Bind(addr, true, udp)
	if err != nil {
		t.Fatalf("Bind(%q): %v", addr, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close %s: %v", addr, err)
		}
	})
	return s
}

func TestBindSharesThePort(t *testing.T) {
	s := mustBind(t, "127.0.0.1:0", true)
	if got, want := s.UDP.LocalAddr().String(), s.TCP.Addr().String(); got != want {
		t.Errorf("UDP is at %s, TCP at %s", got, want)
	}
}

func TestBindEmptyHostIsLoopback(t *testing.T) {
	s := mustBind(t, ":0", false)
	if host, _, _ := net.SplitHostPort(s.Addr()); host != "127.0.0.1" {
		t.Errorf("Bind(\":0\") listens on %s, want 127.0.0.1", s.Addr())
	}
}

func TestBindLocalhostIsBothLoopbacks(t *testing.T) {
	if probe, err := net.Listen("tcp", "[::1]:0"); err != nil {
		t.Skip("this machine has no IPv6 loopback")
	} else {
		_ = probe.Close()
	}
	var accepted atomic.Int64
	s := listen.Counted(mustBind(t, "localhost:0", true), &accepted)
	_, port, _ := net.SplitHostPort(s.Addr())
	for _, host := range []string{"127.0.0.1", "::1"} {
		addr := net.JoinHostPort(host, port)
		expectAccepts(t, s, addr)
		// Whoever binds the port again learns that it is taken, for UDP as well.
		if again, err := listen.Bind(addr, false, true); err == nil {
			t.Errorf("UDP at %s was free", addr)
			_ = again.Close()
		}
	}
	if got := accepted.Load(); got != 2 {
		t.Errorf("counted %d connections, want 2", got)
	}
}

// expectAccepts dials addr and expects the connection on s.
func expectAccepts(t *testing.T, s listen.Socket, addr string) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	peer, err := s.TCP.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if got, want := peer.RemoteAddr().String(), conn.LocalAddr().String(); got != want {
		t.Errorf("accepted %s, want %s", got, want)
	}
}

func TestBindErrorsSayWhatToDo(t *testing.T) {
	taken := mustBind(t, "127.0.0.1:0", true).Addr()
	for _, test := range []struct {
		addr     string
		tcp, udp bool
		want     []string
	}{
		{"8080", true, false, []string{`"8080"`, "HOST:PORT"}},
		{"", true, false, []string{"HOST:PORT"}},
		{"127.0.0.1:70000", true, false, []string{"1 to 65535", "65535"}},
		{"127.0.0.1:nosuchservice", true, false, []string{"1 to 65535"}},
		{taken, true, false, []string{taken, "TCP address already in use", "another port"}},
		{taken, false, true, []string{taken, "UDP address already in use", "another port"}},
		{"192.0.2.1:0", true, false, []string{"192.0.2.1:0", "no such address"}},
	} {
		s, err := listen.Bind(test.addr, test.tcp, test.udp)
		if err == nil {
			t.Errorf("Bind(%q) succeeded", test.addr)
			_ = s.Close()
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Bind(%q): %q does not say %q", test.addr, err, want)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("Bind(%q): %q is more than one line", test.addr, err)
		}
	}
}

func TestAnnounce(t *testing.T) {
	for _, test := range []struct{ label, want string }{
		{"", "listening 127.0.0.1:1\n"},
		{"tls", "listening tls 127.0.0.1:1\n"},
	} {
		var out strings.Builder
		if err := listen.Announce(&out, test.label, "127.0.0.1:1"); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("label %q: got %q, want %q", test.label, out.String(), test.want)
		}
	}
}
