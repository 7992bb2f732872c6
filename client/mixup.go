package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// mixup explains the error of a port that speaks another protocol: it names what the other end said
// and the flag to change. It is nil for other errors.
func (t *target) mixup(err error) error {
	failed, ok := errors.AsType[*greet.Error](err)
	if !ok {
		return nil
	}
	name := t.stack.Name
	switch {
	case name.Protocol != stack.GRPC && strings.Contains(failed.Message, "415 Unsupported Media Type"):
		return fmt.Errorf("%s speaks no %s (it answered with HTTP status 415, as a port for gRPC only does): call with --protocol grpc", t.addr, name.Protocol)
	case name.Transport == stack.H1 && strings.Contains(failed.Message, `malformed HTTP response "\x00\x00`):
		return fmt.Errorf("%s speaks HTTP/2 only (it answered HTTP/1.1 with a frame of HTTP/2): call with --transport h2c, and if it is for gRPC only, with --protocol grpc", t.addr)
	case failed.Code != greet.CodeUnavailable && failed.Code != greet.CodeInternal || name.Transport == stack.H3:
		return nil
	}
	switch spoken := t.languageOfPort(); {
	case spoken == plainText && name.Secure():
		return fmt.Errorf("%s speaks no TLS (it answered the handshake in plain text): call with --transport h2c", t.addr)
	case spoken == overTLS && !name.Secure():
		return fmt.Errorf("%s speaks TLS (it took a handshake, and to plain text it said: %s): call with --transport h2, and --ca FILE or --insecure", t.addr, failed.Message)
	}
	return nil
}

// noServer explains that nobody answers. If HTTP/3 was tried, it looks at the TCP port to say what
// would work.
func (t *target) noServer() error {
	spoken := nothing
	if t.stack.Name.Transport == stack.H3 {
		spoken = t.languageOfPort()
	}
	switch spoken {
	case overTLS:
		return fmt.Errorf("nobody speaks HTTP/3 at %s (no answer over UDP, but TLS over TCP): call with --transport h2", t.addr)
	case plainText:
		return fmt.Errorf("nobody speaks HTTP/3 at %s (no answer over UDP, and over TCP no TLS): call with --transport h2c", t.addr)
	}
	return fmt.Errorf("no server answers at %s (tried %s): start one with: %s", t.addr, t.stack.Name, t.start)
}

// language is what a TCP port speaks.
type language int

const (
	nothing language = iota
	plainText
	overTLS
)

// languageOfPort finds out by a TLS handshake, and sends nothing more.
func (t *target) languageOfPort() language {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}}}
	conn, err := dialer.DialContext(ctx, "tcp", t.addr)
	if err == nil {
		_ = conn.Close() // nothing was sent
		return overTLS
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return plainText
	}
	return nothing
}
