//go:build clients

package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestClients calls the built server with clients that others wrote, in every
// mode, protocol and transport that each of them can do. It has a build tag,
// because the first run builds the clients, which takes minutes:
//
//	go test -tags clients -run TestClients ./test/clients
func TestClients(t *testing.T) {
	s := startServer(t)
	calls := slices.Concat(bufCalls(t, s), grpcurlCalls(t, s), ghzCalls(t, s), curlCalls(s))
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

// call is one run of a client.
type call struct {
	name string
	argv []string
	read func(t *testing.T, stdout []byte) string // makes stdout comparable
	want string
	wire string // what standard error must tell of the version of HTTP
}

func (c call) check(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(c.argv, " "), err, &stdout, &stderr)
	}
	if got := c.read(t, stdout.Bytes()); got != c.want {
		t.Errorf("%s\ngot  %s\nwant %s", strings.Join(c.argv, " "), got, c.want)
	}
	if !strings.Contains(stderr.String(), c.wire) {
		t.Errorf("%s: want %q in\n%s", strings.Join(c.argv, " "), c.wire, &stderr)
	}
}

// service prefixes every method.
const service = "greet.v1.GreetService/"

// modes has one call of each mode: messages as a JSON stream, replies without
// the spaces in which JSON encoders differ.
var modes = []struct{ method, send, want string }{
	{"Greet", `{"name":"Zoë"}`, `{"greeting":"Hello, Zoë!"}`},
	{"GreetStream", `{"name":"ann","count":2}`, `{"greeting":"Hello #1, ann!"} {"greeting":"Hello #2, ann!"}`},
	{"GreetCount", `{"name":"ann"} {"name":"bob"} {}`, `{"count":3}`},
	{"GreetChat", `{"name":"ann"} {"name":"bob"}`, `{"greeting":"Hi, ann!"} {"greeting":"Hi, bob!"}`},
}

// bufCalls has every protocol over every transport, and the schema by reflection.
func bufCalls(t *testing.T, s endpoints) (calls []call) {
	buf := tool(t, "buf")
	for _, wire := range []struct {
		transport, base, version string
		flags                    []string
	}{
		{"h1", "http://" + s.connect, "HTTP/1.1 200", nil},
		{"h2c", "http://" + s.connect, "HTTP/2.0 200", []string{"--http2-prior-knowledge"}},
		{"h2", "https://" + s.tls, "HTTP/2.0 200", []string{"--cacert", s.cert}},
		{"h3", "https://" + s.tls, "HTTP/3.0 200", []string{"--cacert", s.cert, "--http3"}},
		{"grpc-port", "http://" + s.grpc, "HTTP/2.0 200", nil},
	} {
		for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
			if wire.transport == "grpc-port" && protocol != "grpc" {
				continue // grpc-go speaks gRPC alone
			}
			for _, m := range modes {
				if wire.transport == "h1" && (protocol == "grpc" || m.method == "GreetChat") {
					continue // both need HTTP/2, which buf takes there unasked
				}
				argv := []string{buf, "curl", "-v", "--schema", "proto", "--protocol", protocol, "-d", m.send}
				calls = append(calls, call{
					name: "buf/" + protocol + "/" + wire.transport + "/" + m.method,
					argv: slices.Concat(argv, wire.flags, []string{wire.base + "/" + service + m.method}),
					read: compact, want: m.want, wire: wire.version,
				})
			}
		}
	}
	for _, reflection := range []string{"grpc-v1", "grpc-v1alpha"} {
		calls = append(calls, call{
			name: "buf/" + reflection,
			argv: []string{buf, "curl", "--reflect-protocol", reflection, "-d", modes[0].send,
				"--http2-prior-knowledge", "http://" + s.connect + "/" + service + modes[0].method},
			read: compact, want: modes[0].want,
		})
	}
	return calls
}

// grpcurlCalls has gRPC on every port, with the schema by reflection.
func grpcurlCalls(t *testing.T, s endpoints) (calls []call) {
	grpcurl := tool(t, "grpcurl")
	for _, m := range modes {
		for port, where := range s.grpcPorts("-plaintext", "-cacert") {
			calls = append(calls, call{
				name: "grpcurl/" + port + "/" + m.method,
				argv: slices.Concat([]string{grpcurl, "-d", m.send}, where, []string{service + m.method}),
				read: compact, want: m.want,
			})
		}
	}
	return calls
}

// ghzCalls has gRPC on every port. A load generator does not look at replies;
// what it reports is how many calls ended in which status.
func ghzCalls(t *testing.T, s endpoints) (calls []call) {
	ghz := tool(t, "ghz")
	for _, m := range modes {
		send := m.send
		if strings.Contains(send, "} {") {
			send = "[" + strings.ReplaceAll(send, "} {", "},{") + "]"
		}
		for port, where := range s.grpcPorts("--insecure", "--cacert") {
			argv := []string{ghz, "--proto", "proto/greet/v1/greet.proto", "--call", service + m.method,
				"-d", send, "-n", "50", "-c", "5", "-O", "json"}
			calls = append(calls, call{
				name: "ghz/" + port + "/" + m.method,
				argv: slices.Concat(argv, where),
				read: statuses, want: `50 {"OK":50}`,
			})
		}
	}
	return calls
}

// curlCalls has Connect's unary calls, which are plain HTTP.
func curlCalls(s endpoints) (calls []call) {
	greet := "/" + service + "Greet"
	post := []string{"-H", "Content-Type: application/json", "-d", modes[0].send}
	get := []string{"-G", "--data-urlencode", "message=" + modes[0].send, "-d", "encoding=json", "-d", "connect=v1"}
	for _, c := range []struct {
		name, version string
		flags         []string
	}{
		{"post/h1", "1.1", append(post, "http://"+s.connect+greet)},
		{"post/h2c", "2", append(post, "--http2-prior-knowledge", "http://"+s.connect+greet)},
		{"post/h2", "2", append(post, "--cacert", s.cert, "https://"+s.tls+greet)},
		{"get/h1", "1.1", append(get, "http://"+s.connect+greet)},
		{"get/h2c", "2", append(get, "--http2-prior-knowledge", "http://"+s.connect+greet)},
		{"get/h2", "2", append(get, "--cacert", s.cert, "https://"+s.tls+greet)},
	} {
		argv := []string{"curl", "--silent", "--show-error", "--fail", "--write-out", "%{http_version}"}
		calls = append(calls, call{
			name: "curl/" + c.name,
			argv: slices.Concat(argv, c.flags),
			read: compact, want: modes[0].want + " " + c.version,
		})
	}
	return calls
}

// tool builds the tool of that name and returns its path.
func tool(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools/"+name+"/go.mod", "-n", name).Output()
	if err != nil {
		t.Fatalf("build %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

// compact writes a stream of JSON values with one space between them and none
// within.
func compact(t *testing.T, stream []byte) string {
	var values []string
	for decoder := json.NewDecoder(bytes.NewReader(stream)); ; {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
			return strings.Join(values, " ")
		} else if err != nil {
			t.Fatalf("decode %q: %v", stream, err)
		}
		var value bytes.Buffer
		if err := json.Compact(&value, raw); err != nil {
			t.Fatalf("compact %q: %v", raw, err)
		}
		values = append(values, value.String())
	}
}

// statuses reads how many calls ghz made, and how they ended.
func statuses(t *testing.T, report []byte) string {
	var r struct {
		Count    json.Number     `json:"count"`
		Statuses json.RawMessage `json:"statusCodeDistribution"`
	}
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatalf("decode report of ghz: %v\n%s", err, report)
	}
	return r.Count.String() + " " + compact(t, r.Statuses)
}
