package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// target is a server with the client that calls it.
type target struct {
	stack.Client
	stack stack.Stack
	addr  string
	start string // the command that starts such a server
}

// target makes the client that the flags ask for. It connects with the first call.
func (f *flags) target(trust *tls.Config, tap *stack.Tap) (*target, error) {
	s, err := newStack(f.Lib, f.Protocol, f.Transport, f.Codec)
	if err != nil {
		return nil, err
	}
	if !s.Name.Secure() && (f.CA != "" || f.Insecure) {
		return nil, usagef("--ca and --insecure are about certificates, which --transport %s does not have; use h2 or h3", f.Transport)
	}
	listener, addr := defaultListener(s.Name)
	start := "go run ./server"
	if f.Addr != "" {
		addr = f.Addr
		start += " --" + listener + " " + addr
	}
	return dialTarget(s, addr, start, stack.DialOptions{TLS: trust, InFlight: 1, FastHTTP2: f.fastHTTP2(), Tap: tap})
}

func (f *flags) fastHTTP2() bool { return f.HTTP2 == "fast" }

func dialTarget(s stack.Stack, addr, start string, o stack.DialOptions) (*target, error) {
	client, err := s.Dial(addr, o)
	if err != nil {
		return nil, fmt.Errorf("make client of %s: %w", addr, err)
	}
	return &target{Client: client, stack: s, addr: addr, start: start}, nil
}

// newStack returns the stack of that name, or a usageError that says what would work.
func newStack(library, protocol, transport, codec string) (stack.Stack, error) {
	name, err := stack.ParseName(library + "/" + protocol + "/" + transport)
	if err != nil {
		return stack.Stack{}, usagef("%v", err)
	}
	if library != grpcgo.Library {
		return connectgo.New(protocol, transport, codec), nil
	}
	if codec != "proto" {
		name.Variants = []string{codec}
	}
	if why := grpcgo.Refuses(name); why != "" {
		return stack.Stack{}, usagef("%s cannot be: %s", name, why)
	}
	s, err := grpcgo.New(transport)
	if err != nil {
		return stack.Stack{}, usagef("%v", err)
	}
	return s, nil
}

// defaultListener is the flag of the server's listener that serves the stack,
// and where it listens unless told otherwise. The server's grpc-go listener is
// without TLS; over TLS a grpc-go client calls the one that connect-go serves.
func defaultListener(n stack.Name) (flag, addr string) {
	switch {
	case n.Secure():
		return "tls", "127.0.0.1:8443"
	case n.Library == grpcgo.Library:
		return "grpc", "127.0.0.1:50051"
	}
	return "connect", "127.0.0.1:8080"
}

// trust returns the certificates to trust over TLS: those of --ca, any with --insecure, else those
// that the system trusts.
func (f *flags) trust() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: f.Insecure}
	if f.CA == "" {
		return config, nil
	}
	if f.Insecure {
		return nil, usagef("--ca names whom to trust and --insecure trusts anybody: choose one")
	}
	pem, err := os.ReadFile(f.CA)
	if err != nil {
		return nil, fmt.Errorf("read certificates to trust: %w", err)
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read certificates to trust: %s holds no PEM certificate", f.CA)
	}
	return config, nil
}
