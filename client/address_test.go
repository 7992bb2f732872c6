package main

import (
	"errors"
	"strings"
	"testing"

	"example.com/greet/internal/greet"
)

// unreached is a client that has never opened a connection.
type unreached struct{ *target }

func (unreached) Connections() int64 { return 0 }

// TestUnknownHost shows explain what the libraries say of a name without address.
func TestUnknownHost(t *testing.T) {
	for _, text := range []string{
		"dial tcp: lookup greet.invalid: no such host",
		`connection error: desc = "transport: Error while dialing: dial tcp: lookup greet.invalid on [::1]:53: no such host"`,
	} {
		target := &target{Client: unreached{}, addr: "greet.invalid:80", start: "go run ./server"}
		got := explain(&greet.Error{Code: greet.CodeUnavailable, Message: text}, target).Error()
		if !strings.Contains(got, "no address is known for the host of greet.invalid:80") || strings.Contains(got, "go run") {
			t.Errorf("%q is explained as %q", text, got)
		}
	}
	refused := &greet.Error{Code: greet.CodeUnavailable, Message: "dial tcp 127.0.0.1:80: connect: connection refused", Cause: errors.New("refused")}
	target := &target{Client: unreached{}, addr: "127.0.0.1:80", start: "go run ./server"}
	if got := explain(refused, target).Error(); !strings.Contains(got, "start one with: go run ./server") {
		t.Errorf("a refused connection is explained as %q", got)
	}
}
