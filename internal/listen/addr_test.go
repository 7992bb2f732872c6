package listen_test

import (
	"strings"
	"testing"

	"example.com/greet/internal/listen"
)

func TestAddresses(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:1", "localhost:65535", "[::1]:80", "[fe80::1%eth0]:80", ":8080", "greet.example:http"} {
		if err := listen.CheckServer(addr); err != nil {
			t.Errorf("call %s: %v", addr, err)
		}
		if err := listen.CheckAddr(addr); err != nil {
			t.Errorf("listen on %s: %v", addr, err)
		}
	}
	for addr, want := range map[string]string{
		"":                "it is empty",
		"127.0.0.1":       "not a host and a port",
		":::1":            "not a host and a port",
		"host?:80":        "no host has such a name",
		"a/b:80":          "no host has such a name",
		"127.0.0.1:":      "1 to 65535",
		"127.0.0.1:-1":    "1 to 65535",
		"127.0.0.1:65536": "1 to 65535",
		"127.0.0.1:no-x":  "1 to 65535",
	} {
		for _, err := range []error{listen.CheckServer(addr), listen.CheckAddr(addr)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", addr, err, want)
			}
		}
	}
	if listen.CheckServer(":0") == nil || listen.CheckAddr(":0") != nil {
		t.Error("port 0 can be listened on, and not called")
	}
}
