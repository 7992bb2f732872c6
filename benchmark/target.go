package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"

	"example.com/greet/benchmark/internal/run"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// parseTarget reads NAME=HOST:PORT: a server that runs already, to be called with
// a client of ours that speaks its protocol.
func parseTarget(spec, ca string) (run.Target, error) {
	fullName, addr, ok := strings.Cut(spec, "=")
	// A variant may hold an equals sign, an address never does.
	if i := strings.LastIndex(spec, "="); ok && i > 0 {
		fullName, addr = spec[:i], spec[i+1:]
	}
	if _, _, err := net.SplitHostPort(addr); !ok || err != nil {
		return run.Target{}, fmt.Errorf("--target %q: want NAME=HOST:PORT, such as mine/grpc/h2c=127.0.0.1:9000", spec)
	}
	name, err := stack.ParseName(fullName)
	if err != nil {
		return run.Target{}, fmt.Errorf("--target: %w", err)
	}
	trust, err := targetTLS(ca)
	if err != nil {
		return run.Target{}, fmt.Errorf("--target-ca: %w", err)
	}
	client, err := clientFor(name)
	if err != nil {
		return run.Target{}, fmt.Errorf("--target %q: %w", spec, err)
	}
	client.Name, client.Language, client.Libraries = name, "unknown", []string{}
	return run.Target{Stack: client, Addr: addr, TLS: trust}, nil
}

// clientFor returns a stack of ours whose client speaks the protocol over the
// transport, and says which that is. Over HTTP/2, gRPC is spoken by grpc-go.
func clientFor(n stack.Name) (stack.Stack, error) {
	s, err := speaking(n)
	s.Client = s.Name.Library
	return s, err
}

func speaking(n stack.Name) (stack.Stack, error) {
	if !n.RPC() {
		return stack.Stack{}, fmt.Errorf("%s over %s is no RPC: there is nothing to call", n.Protocol, n.Transport)
	}
	if n.Protocol == stack.GRPC && (n.Transport == stack.H2C || n.Transport == stack.H2) {
		return grpcgo.New(n.Transport)
	}
	codec := "proto"
	if n.Has("json") {
		codec = "json"
	}
	return connectgo.New(n.Protocol, n.Transport, codec), nil
}

func targetTLS(ca string) (*tls.Config, error) { return listen.ClientTLS(ca, ca == "") }
