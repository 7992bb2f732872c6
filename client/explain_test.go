package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"net"
	"strings"
	"testing"
	"time"
)

// TestCertificateForOthers trusts a certificate whose names are not the one that
// is called.
func TestCertificateForOthers(t *testing.T) {
	tests := []struct {
		name     string
		template x509.Certificate
		want     string
	}{
		{"a name", x509.Certificate{DNSNames: []string{"greet.example"}}, "(greet.example)"},
		{"an address", x509.Certificate{IPAddresses: []net.IP{net.IPv4(192, 0, 2, 1)}}, "(192.0.2.1)"},
		{"both", x509.Certificate{DNSNames: []string{"greet.example"}, IPAddresses: []net.IP{net.IPv4(192, 0, 2, 1)}}, "(greet.example, 192.0.2.1)"},
		{"none", x509.Certificate{}, "a name in its certificate"},
	}
	for _, test := range tests {
		s := startServerOf(t, certificateOf(t, test.template))
		for _, way := range []string{"connect-go/connect/h2", "connect-go/connect/h3", "grpc-go/grpc/h2"} {
			t.Run(test.name+" "+way, func(t *testing.T) {
				code, out, errs := command(t, s.args(way)...)
				if code != exitFailed || out != "" || strings.Count(errs, "\n") != 1 {
					t.Errorf("got %d, %q, %q; want 1, nothing, one line", code, out, errs)
				}
				if !strings.Contains(errs, "not for that name") || !strings.Contains(errs, test.want) || strings.Contains(errs, "--cert-out") {
					t.Errorf("stderr = %q, want advice on the name, with %q", errs, test.want)
				}
			})
		}
	}
}

func certificateOf(t *testing.T, template x509.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
