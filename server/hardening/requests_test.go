package hardening_test

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
)

const (
	greetPath = greetv1connect.GreetServiceGreetProcedure
	countPath = greetv1connect.GreetServiceGreetCountProcedure
	chatPath  = greetv1connect.GreetServiceGreetChatProcedure
)

// target is one way to the built server.
type target struct{ transport, label string }

var (
	overH1  = target{stack.H1, "connect"}
	overH2C = target{stack.H2C, "connect"}
	overH3  = target{stack.H3, "tls"}
	toGRPC  = target{stack.H2C, "grpc"} // which grpc-go serves
)

// badRequest is a request that no client of ours sends, and what it gets.
type badRequest struct {
	name         string
	to           target
	method, path string // empty for POST and for Greet
	contentType  string
	timeout      string // Connect-Timeout-Ms; empty for none
	body         []byte
	status       int
	says         []string // what is in the response
}

// send sends each request to the built server, which must survive them all.
func send(t *testing.T, requests []badRequest) {
	forEachHTTP2(t, func(t *testing.T, flag string) { sendTo(t, startServer(t, flag), requests) })
}

func sendTo(t *testing.T, server *serverProcess, requests []badRequest) {
	t.Helper()
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			header := http.Header{"Te": {"trailers"}, "Content-Type": {r.contentType}}
			if r.timeout != "" {
				header.Set("Connect-Timeout-Ms", r.timeout)
			}
			method, path := cmp.Or(r.method, http.MethodPost), cmp.Or(r.path, greetPath)
			got := request(t, method, r.to.transport, server.addr[r.to.label], server.trust, path, header, r.body)
			if got.status != r.status {
				t.Errorf("status %d, want %d (%s)", got.status, r.status, got.text())
			}
			for _, want := range r.says {
				if !strings.Contains(got.text(), want) {
					t.Errorf("got %q, want %q in it", got.text(), want)
				}
			}
		})
	}
	server.alive(t)
}

func TestTooLargeMessages(t *testing.T) {
	large, err := proto.Marshal(&greetv1.GreetRequest{Name: strings.Repeat("x", 5*mebi)})
	if err != nil {
		t.Fatal(err)
	}
	limit := strconv.Itoa(stack.MaxMessageBytes) // the limit is named
	send(t, []badRequest{
		{name: "Connect", to: overH1, contentType: "application/proto", body: large, status: 429, says: []string{"resource_exhausted", limit}},
		{name: "Connect over HTTP/3", to: overH3, contentType: "application/proto", body: large, status: 429, says: []string{"resource_exhausted", limit}},
		{name: "Connect stream", to: overH2C, path: countPath, contentType: "application/connect+proto", body: envelope(0, large), status: 200, says: []string{"resource_exhausted", limit}},
		{name: "gRPC", to: overH2C, contentType: "application/grpc", body: envelope(0, large), status: 200, says: []string{"grpc-status 8", limit}},
		{name: "gRPC-Web", to: overH1, contentType: "application/grpc-web", body: envelope(0, large), status: 200, says: []string{"grpc-status 8", limit}},
		{name: "grpc-go", to: toGRPC, contentType: "application/grpc", body: envelope(0, large), status: 200, says: []string{"grpc-status 8", limit}},
	})
}

func TestBadTimeouts(t *testing.T) {
	var list []badRequest
	for timeout, status := range map[string]int{"-1": 400, "12345678901": 400, "soon": 400, "1234567890": 200} {
		says := []string{"Hello, !"}
		if status == 400 {
			says = []string{"invalid_argument", "timeout"}
		}
		list = append(list, badRequest{name: timeout, to: overH1, contentType: "application/json", timeout: timeout, body: []byte("{}"), status: status, says: says})
	}
	send(t, list)
}

// TestTimeoutOfZero has a call that is over before it begins.
func TestTimeoutOfZero(t *testing.T) {
	send(t, []badRequest{
		{name: "unary", to: overH1, contentType: "application/json", timeout: "0", body: []byte("{}"), status: 504, says: []string{"deadline_exceeded"}},
		{name: "stream", to: overH2C, path: countPath, contentType: "application/connect+proto", timeout: "0", status: 200, says: []string{"deadline_exceeded"}},
	})
}

// TestBrokenRequests has requests whose bytes are not what they say they are. The
// client is to blame, and is told so.
func TestBrokenRequests(t *testing.T) {
	send(t, []badRequest{
		{name: "base64 in a URL", to: overH1, method: "GET", path: greetPath + "?connect=v1&encoding=proto&base64=1&message=%21%21", status: 400, says: []string{"invalid_argument", "base64"}},
		{name: "base64 in a URL over HTTP/3", to: overH3, method: "GET", path: greetPath + "?connect=v1&encoding=proto&base64=1&message=%21%21", status: 400, says: []string{"invalid_argument", "base64"}},
	})
}

// TestBrokenChunks sends a body over HTTP/1.1 in chunks that are none.
func TestBrokenChunks(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	conn := dialBare(t, server.addr["connect"], nil)
	_, err := io.WriteString(conn, "POST "+greetPath+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("chunks that are none got status %d, want 400", res.StatusCode)
	}
}

// TestUnknown asks for what there is not. Bad UTF-8 is where the
// libraries differ: connect-go blames the caller, grpc-go itself.
func TestUnknown(t *testing.T) {
	const nowhere, noProcedure = "/nobody.v1.Nothing/Do", "/greet.v1.GreetService/Do"
	badUTF8 := []byte{1<<3 | 2, 1, 0xff} // field 1, one byte long, which begins no rune
	send(t, []badRequest{
		{name: "codec", to: overH1, contentType: "application/yaml", body: []byte("{}"), status: 415},
		{name: "codec of gRPC", to: overH2C, contentType: "application/grpc+yaml", body: emptyMessage, status: 415},
		{name: "codec of grpc-go", to: toGRPC, contentType: "application/yaml", body: emptyMessage, status: 415},
		{name: "method", to: overH1, method: "PUT", contentType: "application/json", body: []byte("{}"), status: 405},
		{name: "GET of what may have side effects", to: overH1, method: "GET", path: countPath, status: 405},
		{name: "method of grpc-go", to: toGRPC, method: "GET", contentType: "application/grpc", status: 405},
		{name: "path", to: overH1, path: nowhere, contentType: "application/json", body: []byte("{}"), status: 404},
		{name: "path of grpc-go", to: toGRPC, path: nowhere, contentType: "application/grpc", body: emptyMessage, status: 200, says: []string{"grpc-status 12"}},
		{name: "procedure", to: overH1, path: noProcedure, contentType: "application/json", body: []byte("{}"), status: 501, says: []string{"unimplemented"}},
		{name: "procedure of gRPC", to: overH2C, path: noProcedure, contentType: "application/grpc", body: emptyMessage, status: 200, says: []string{"grpc-status 12"}},
		{name: "procedure of grpc-go", to: toGRPC, path: noProcedure, contentType: "application/grpc", body: emptyMessage, status: 200, says: []string{"grpc-status 12"}},
		{name: "JSON field", to: overH1, contentType: "application/json", body: []byte(`{"name":"x","nickname":"y"}`), status: 200, says: []string{"Hello, x!"}},
		{name: "JSON", to: overH1, contentType: "application/json", body: []byte(`{"name":`), status: 400, says: []string{"invalid_argument"}},
		{name: "rune by Connect", to: overH1, contentType: "application/proto", body: badUTF8, status: 400, says: []string{"invalid_argument", "UTF-8"}},
		{name: "rune by gRPC", to: overH2C, contentType: "application/grpc", body: envelope(0, badUTF8), status: 200, says: []string{"grpc-status 3", "UTF-8"}},
		{name: "rune by grpc-go", to: toGRPC, contentType: "application/grpc", body: envelope(0, badUTF8), status: 200, says: []string{"grpc-status 13", "UTF-8"}},
	})
}

// TestBidiOverHTTP1 checks what a program is told that tries, and a person who
// asks before: the demo client says the stack's own statement and sends nothing.
func TestBidiOverHTTP1(t *testing.T) {
	send(t, []badRequest{
		{name: "Connect", to: overH1, path: chatPath, contentType: "application/connect+proto", status: 505},
		{name: "gRPC-Web", to: overH1, path: chatPath, contentType: "application/grpc-web", status: 505},
	})
	for _, protocol := range []string{stack.Connect, stack.GRPCWeb} {
		s := connectgo.New(protocol, stack.H1, "proto")
		if why := s.Refuses[greet.Bidi]; !strings.Contains(why, "use h2c, h2 or h3") {
			t.Errorf("%s: the stack's statement is %q, want the fix in it", s.Name, why)
		}
	}
}

// TestPanics has handlers that panic, before they send anything and after. That
// this process lives to check it is part of the test.
func TestPanics(t *testing.T) {
	const secret = "the password is swordfish"
	forEachStack(t, func(t *testing.T, s stack.Stack) {
		r := &rude{handle: func(_ context.Context, c call) error {
			if c.send != nil {
				_ = c.send("before the panic")
			}
			panic(secret)
		}}
		srv := serveRude(t, s, r, stack.ServeOptions{})
		client := srv.client(t, s)
		for _, m := range s.Modes() {
			err := makeCall(t.Context(), client, m)
			if greet.CodeOf(err) != greet.CodeInternal || strings.Contains(err.Error(), "swordfish") {
				t.Errorf("%s: got %v, want code internal and nothing of the panic", m, err)
			}
		}
		if n := r.live.Load(); n != 0 {
			t.Errorf("%d handlers are live", n)
		}
	})
}
