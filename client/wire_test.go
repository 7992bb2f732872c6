package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWireShowsEveryWay looks for what each protocol must show in each mode, and
// for the greetings, which stay.
func TestWireShowsEveryWay(t *testing.T) {
	s := startServer(t)
	for _, way := range ways() {
		for _, codec := range []string{"proto", "json"} {
			if codec == "json" && strings.HasPrefix(way, "grpc-go") {
				continue
			}
			t.Run(way+"+"+codec, func(t *testing.T) {
				code, out, errs := command(t, append(s.args(way), "--codec", codec, "--wire")...)
				if code != exitOK {
					t.Fatalf("exit code %d: %s", code, errs)
				}
				for _, want := range wantedOnWire(way, codec) {
					if !strings.Contains(out, want) {
						t.Errorf("no %q in:\n%s", want, out)
						break
					}
				}
				for line := range strings.SplitSeq(out, "\n") {
					if utf8.RuneCountInString(line) > 100 {
						t.Errorf("wider than 100: %s", line)
					}
				}
			})
		}
	}
}

func wantedOnWire(way, codec string) []string {
	want := []string{"[client] Hello, world!", "[client] server counted 3 requests", "sent ", "carried messages"}
	if codec == "json" {
		want = append(want, `{"name":"world"}`)
	} else {
		want = append(want, `name (1): "world"`, "count (1): 3")
	}
	switch strings.Split(way, "/")[1] {
	case "connect":
		want = append(want, "connect-timeout-ms: ", "no envelope: the body is the message", "end of stream {}", "envelope 02 00 00 00 02")
	case "grpc":
		want = append(want, "grpc-timeout: ", "trailers: the status of the call", "grpc-status: 0", "envelope 00 00 00 00 ")
	case "grpcweb":
		want = append(want, "grpc-timeout: ", "envelope 80 00 00 00 ", "trailer grpc-status: 0")
	}
	switch strings.Split(way, "/")[2] {
	case "h1":
		want = append(want, "POST /greet.v1.GreetService/Greet HTTP/1.1", "transfer-encoding: chunked", "chunk of 0")
	case "h2c":
		want = append(want, "connection preface", "DATA stream 1 END_STREAM", "END_STREAM: the client has no more to say")
	case "h2":
		want = append(want, "TLS ClientHello", "TLS Certificate", "TLS records: ", "END_STREAM: the client has no more to say")
	case "h3":
		want = append(want, "QUIC initial packet 0", "HTTP/3 HEADERS stream 0", "FIN: this side has no more to say", "CONNECTION_CLOSE")
	}
	return want
}

// TestWireShowsDemos runs each demo and looks for what only the wire tells.
func TestWireShowsDemos(t *testing.T) {
	s := startServer(t)
	tests := []struct{ way, demo, want string }{
		{"connect-go/connect/h1", "errors", `"code":"invalid_argument"`},
		{"connect-go/connect/h2c", "errors", `field (1): "count"`},
		{"connect-go/grpc/h2c", "errors", "grpc-status: 3"},
		{"grpc-go/grpc/h2c", "errors", `field (1): "count"`},
		{"connect-go/grpcweb/h3", "errors", "no message, only a status"},
		{"connect-go/connect/h2c", "cancel", "RST_STREAM stream"},
		{"grpc-go/grpc/h2", "cancel", "RST_STREAM stream"},
		{"connect-go/grpc/h3", "cancel", "STOP_SENDING"},
		{"connect-go/connect/h2c", "metadata", "trailer-greet-echo-trailer: hello"},
		{"grpc-go/grpc/h2c", "metadata", "metadata: a trailer that the program has set"},
		{"connect-go/grpc/h2c", "deadline", "WINDOW_UPDATE stream"},
	}
	for _, test := range tests {
		t.Run(test.way+" "+test.demo, func(t *testing.T) {
			code, out, errs := command(t, append(s.args(test.way), "--demo", test.demo, "--wire")...)
			if code != exitOK || !strings.Contains(out, test.want) {
				t.Errorf("code %d, %q; want %q in:\n%s", code, errs, test.want, out)
			}
		})
	}
}

// TestWirePage wants one page that needs nothing but itself, with every mode.
func TestWirePage(t *testing.T) {
	s := startServer(t)
	code, out, errs := command(t, append(s.args("connect-go/grpc/h2c"), "--wire=html")...)
	if code != exitOK || errs != "" {
		t.Fatalf("got %d, %q", code, errs)
	}
	if got := strings.Count(out, "<section>"); got < 4 {
		t.Errorf("%d sections, want one for each mode", got)
	}
	if strings.Count(out, "<!doctype html>") != 1 || !strings.HasSuffix(out, "</html>\n") {
		t.Errorf("want one page, got %.100s … %s", out, out[max(0, len(out)-40):])
	}
	if outside := regexp.MustCompile(`(src|href)=`).FindString(out); outside != "" {
		t.Errorf("the page wants something from outside: %s", outside)
	}
}

func TestWireUsage(t *testing.T) {
	code, out, errs := command(t, "--wire=xml")
	if code != exitUsage || out != "" || !strings.Contains(errs, "want text or html") {
		t.Errorf("got %d, %q, %q", code, out, errs)
	}
	if code, _, errs := command(t, "--wire", "--matrix"); code != exitUsage || !strings.Contains(errs, "--wire") {
		t.Errorf("--wire --matrix: got %d, %q", code, errs)
	}
}
