//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// served is a Go stack with the address of a server of it.
func served(t *testing.T, name string) (stack.Stack, string) {
	t.Helper()
	s, err := catalog.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return s, serveInTest(t, func(ctx context.Context, socket listen.Socket) error {
		return s.Serve(ctx, socket, stack.ServeOptions{})
	})
}

func TestAskOpening(t *testing.T) {
	for name, want := range map[string][]string{
		"grpc-go/grpc/h2c":           {"*65535*", "*65535*", "16384", "*4096*"},
		"grpc-go/grpc/h2c+window=1m": {"1048576", "1048576", "16384", "*4096*"},
		"floor/grpc/h2c":             {"262144", "1048576", "*16384*", "*4096*"},
		"connect-go/connect/h2c":     {"262144", "1048576", "65536", "4096"},
	} {
		_, addr := served(t, name)
		got, err := askOpening(t.Context(), addr)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.limits()); diff != "" || got.settings[http2.SettingMaxConcurrentStreams] != 100 {
			t.Errorf("%s: %v (-want +got):\n%s", name, got.settings, diff)
		}
	}
}

func TestAskOpeningOfWhatIsNoHTTP2(t *testing.T) {
	_, addr := served(t, "connect-go/connect/h1")
	if got, err := askOpening(t.Context(), addr); err == nil {
		t.Errorf("a server of HTTP/1.1 has said %v", got.settings)
	}
}

// sentBy is what a client says that begins with a setting, a larger window, and a
// request.
func sentBy(t *testing.T) []byte {
	t.Helper()
	sent := bytes.NewBufferString(http2.ClientPreface)
	framer := http2.NewFramer(sent, nil)
	var header bytes.Buffer
	encoder := hpack.NewEncoder(&header)
	for _, field := range [][2]string{{":method", "POST"}, {":path", "/"}, {":scheme", "http"}, {"grpc-encoding", "GZIP"}, {"grpc-accept-encoding", "identity, gzip"}} {
		if err := encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 7}),
		framer.WriteWindowUpdate(0, 1),
		framer.WriteSettingsAck(),
		framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: header.Bytes(), EndHeaders: true}),
		framer.WriteWindowUpdate(0, 1000), // as it reads replies
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return sent.Bytes()
}

func TestReadOpening(t *testing.T) {
	got, err := readOpening(sentBy(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"7", "65536", "*16384*", "*4096*"}, got.limits()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if encoding, accepted := encodingOf(got.header), acceptedOf(got.header); encoding != "gzip" || accepted != "gzip" {
		t.Errorf("it sends %s and accepts %s", encoding, accepted)
	}
	for _, sent := range []string{"", "GET / HTTP", http2.ClientPreface, string(sentBy(t)[:40])} {
		if _, err := readOpening([]byte(sent)); err == nil {
			t.Errorf("%q was read", sent)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, tt := range []struct {
		header             http.Header
		encoding, accepted string
	}{
		{http.Header{}, "none", "none"},
		{http.Header{"Grpc-Encoding": {"identity"}, "Grpc-Accept-Encoding": {"identity"}}, "none", "none"},
		{http.Header{"Content-Encoding": {"gzip"}, "Accept-Encoding": {"gzip, br"}}, "gzip", "gzip, br"},
		{http.Header{"Connect-Content-Encoding": {"br"}, "Connect-Accept-Encoding": {"br"}, "Accept-Encoding": {"gzip"}}, "br", "br"},
	} {
		if encoding, accepted := encodingOf(tt.header), acceptedOf(tt.header); encoding != tt.encoding || accepted != tt.accepted {
			t.Errorf("%v: %s and %s, want %s and %s", tt.header, encoding, accepted, tt.encoding, tt.accepted)
		}
	}
}

func TestReplyEncoding(t *testing.T) {
	for name, want := range map[string]string{
		"grpc-go/grpc/h2c":            "none",
		"grpc-go/grpc/h2c+gzip":       "gzip",
		"connect-go/grpc/h1":          "none",
		"connect-go/grpcweb/h2c":      "none",
		"connect-go/connect/h1":       "none",
		"connect-go/connect/h2c+gzip": "gzip",
	} {
		s, addr := served(t, name)
		if got, err := replyEncoding(t.Context(), s.Name, addr); err != nil || got != want {
			t.Errorf("%s: %s, error %v, want %s", name, got, err, want)
		}
	}
}

func TestTap(t *testing.T) {
	for name, want := range map[string][]string{
		"grpc-go/grpc/h2c":      {"*65535*", "*65535*", "*16384*", "*4096*"},
		"floor/grpc/h2c":        {"262144", "1048576", "*16384*", "*4096*"},
		"connect-go/connect/h1": {absent, absent, absent, absent},
	} {
		s, addr := served(t, name)
		tap, err := listenBefore(t.Context(), addr)
		if err != nil {
			t.Fatal(err)
		}
		took, failed := ourCalls(s)(t.Context(), tap.Addr())
		got, err := tap.Close()
		if failed != nil || err != nil {
			t.Fatal(failed, err)
		}
		if diff := cmp.Diff(want, got.limits()); diff != "" || took.processes != 1 || took.threads < 2 || took.resident < 1<<20 {
			t.Errorf("%s: %+v (-want +got):\n%s", name, took, diff)
		}
	}
}

func TestTapOfASilentClient(t *testing.T) {
	tap, err := listenBefore(t.Context(), "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tap.Close(); err == nil {
		t.Error("nobody has called, and that is no error")
	}
}

func TestFootprintOfAFamily(t *testing.T) {
	parent := exec.CommandContext(t.Context(), "sh", "-c", "sleep 60 & echo; wait")
	parent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	parent.Cancel = func() error { return syscall.Kill(-parent.Process.Pid, syscall.SIGKILL) }
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = parent.Wait() })
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	got, err := footprintOf(parent.Process.Pid)
	if err != nil || got.processes != 2 || got.threads != 2 || got.resident < 1<<18 {
		t.Errorf("%+v, error %v, want a shell and its child", got, err)
	}
}

func TestPeerCallsThatFail(t *testing.T) {
	name := stack.Name{Library: "elsewhere", Protocol: stack.GRPC, Transport: stack.H2C}
	for answer, want := range map[string]string{
		`{"error":"not today"}`:                      "client of elsewhere/grpc/h2c: 0 of 640 calls succeeded: not today",
		`{"calls":639,"first_error":"internal: no"}`: "client of elsewhere/grpc/h2c: 639 of 640 calls succeeded: internal: no",
	} {
		_, err := peerCalls(stack.Stack{Name: name}, saying("elsewhere", answer), t.Output())(t.Context(), "127.0.0.1:1")
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if call, _, err := clientOf(&plan.Target{Stack: stack.Stack{Name: name}}, t.Output()); call != nil || err != nil {
		t.Errorf("there is a client where there is none, error %v", err)
	}
}

// TestFactsOfGoStacks runs the command as people do, without any peer.
func TestFactsOfGoStacks(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "benchmark")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := exec.CommandContext(t.Context(), binary, "peers", "--facts", "--stacks", "grpc-go/grpc/h2c,connect-go/connect/h1")
	command.Dir = ".."
	var log strings.Builder
	command.Stderr = &log
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	got := tablesIn(t, string(out))
	for title, wantRows := range map[string][]string{
		"Builds":  {"benchmark"},
		"Servers": {"`connect-go/connect/h1`", "`grpc-go/grpc/h2c`"},
		"Clients": {"`connect-go/connect/h1`", "`grpc-go/grpc/h2c`"},
	} {
		if diff := cmp.Diff(wantRows, got[title].column(0)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", title, diff)
		}
	}
}

func TestFactsOfNothing(t *testing.T) {
	t.Chdir("..")
	for _, args := range []string{
		"peers --facts --build", "peers --stacks grpc-go/*", "peers --facts --stacks bare/*",
		"peers --facts --stacks none/of/these", "peers --facts --stacks connect-go/connect/h2",
	} {
		var stdout, stderr strings.Builder
		if status := execute(t.Context(), strings.Fields(args), &stdout, &stderr); status != exitUsage || stdout.Len() > 0 {
			t.Errorf("%s: status %d, printed %q, log %s", args, status, stdout.String(), stderr.String())
		}
	}
}
