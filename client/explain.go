package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/greet/internal/greet"
)

// explain replaces the errors that everybody meets first by one line that says what to do: no
// server, an untrusted certificate, a port for something else. Other errors stay.
func explain(err error, t *target) error {
	if reason := untrusted(err); reason != "" {
		return t.distrust(reason)
	}
	if t.unreachable(err) && unknownHost(err, t.addr) {
		return fmt.Errorf("no address is known for the host of %s: correct --addr HOST:PORT (tried %s: %w)", t.addr, t.stack.Name, err)
	}
	if t.unreachable(err) {
		return t.noServer()
	}
	if mixup := t.mixup(err); mixup != nil {
		return mixup
	}
	return err
}

// unreachable reports whether err says that no connection could be opened.
func (t *target) unreachable(err error) bool {
	return greet.CodeOf(err) == greet.CodeUnavailable && t.Connections() == 0 && untrusted(err) == ""
}

// untrusted says what is wrong with the server's certificate, if err is about that. It reads the
// text because grpc-go passes nothing else of a TLS error on.
func untrusted(err error) string {
	failed, ok := errors.AsType[*greet.Error](err)
	if !ok {
		return ""
	}
	_, reason, _ := strings.Cut(failed.Message, "x509: ")
	return strings.Trim(reason, `"`)
}

// distrust says what to do about a certificate that was refused for the reason. Another --ca does
// not help if the certificate is for another name.
func (t *target) distrust(reason string) error {
	if !strings.HasPrefix(reason, "certificate is valid for ") && !strings.HasPrefix(reason, "certificate is not valid for any names") &&
		!strings.HasPrefix(reason, "cannot validate certificate for ") {
		return fmt.Errorf("the certificate of %s is not trusted (%s): call with --ca and the file that the server's --cert or --cert-out names, or with --insecure", t.addr, reason)
	}
	names := t.certifiedNames()
	if len(names) == 0 {
		return fmt.Errorf("the certificate of %s is not for that name (%s): call the server by a name in its certificate, or with --insecure", t.addr, reason)
	}
	return fmt.Errorf("the certificate of %s is not for that name: call the server by one of the names in it (%s), or with --insecure", t.addr, strings.Join(names, ", "))
}

// certifiedNames asks the server for the names in its certificate. The errors of a handshake list
// only the names of the kind that was called, and those of grpc-go are plain text. Nothing else of
// that connection is used.
func (t *target) certifiedNames() []string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var leaf *x509.Certificate
	dialer := tls.Dialer{Config: &tls.Config{
		InsecureSkipVerify: true,
		NextProtos:         []string{"h2"},
		VerifyConnection:   func(state tls.ConnectionState) error { leaf = state.PeerCertificates[0]; return nil },
	}}
	conn, err := dialer.DialContext(ctx, "tcp", t.addr)
	if err != nil {
		return nil
	}
	defer conn.Close()
	names := slices.Clone(leaf.DNSNames)
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}
