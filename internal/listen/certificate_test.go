package listen_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/greet/internal/listen"
)

func TestSelfSigned(t *testing.T) {
	cert, err := listen.SelfSigned("greet.test", "192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert.Leaf)
	for _, host := range []string{"localhost", "127.0.0.1", "::1", "greet.test", "192.0.2.7"} {
		if _, err := cert.Leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: roots}); err != nil {
			t.Errorf("not valid for %s: %v", host, err)
		}
	}
	if err := cert.Leaf.VerifyHostname("example.org"); err == nil {
		t.Error("valid for example.org, which nobody asked for")
	}
	if life := time.Until(cert.Leaf.NotAfter); life > 14*24*time.Hour {
		t.Errorf("lives %v, which is not short", life)
	}
}

func TestLoadCertificate(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := writePair(t, dir)
	if _, err := listen.LoadCertificate(certFile, keyFile); err != nil {
		t.Errorf("a good pair: %v", err)
	}
	_, otherKey := writePair(t, t.TempDir())
	empty := filepath.Join(dir, "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, cert, key, want string }{
		{"no such file", filepath.Join(dir, "none.pem"), keyFile, "no such file"},
		{"not PEM", empty, keyFile, "failed to find any PEM data"},
		{"key of another", certFile, otherKey, "does not match"},
	} {
		_, err := listen.LoadCertificate(test.cert, test.key)
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		for _, want := range []string{test.want, test.cert, test.key} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", test.name, err, want)
			}
		}
	}
}

func TestClientTLS(t *testing.T) {
	certFile, keyFile := writePair(t, t.TempDir())
	for _, test := range []struct {
		name, ca string
		insecure bool
		want     string
	}{
		{"missing file", certFile + ".none", false, "no such file"},
		{"a key, not a certificate", keyFile, false, "no PEM certificate"},
		{"both", certFile, true, "not both"},
	} {
		if _, err := listen.ClientTLS(test.ca, test.insecure); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error that says %q", test.name, err, test.want)
		}
	}
	config, err := listen.ClientTLS(certFile, false)
	if err != nil {
		t.Fatal(err)
	}
	if config.RootCAs == nil || config.InsecureSkipVerify {
		t.Error("a CA file was given, but is not what is trusted")
	}
	if config.MinVersion < tls.VersionTLS12 {
		t.Error("speaks less than TLS 1.2")
	}
}

// writePair writes a fresh certificate and its key into dir.
func writePair(t *testing.T, dir string) (certFile, keyFile string) {
	t.Helper()
	cert, err := listen.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if err := listen.WritePEM(certFile, cert); err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(keyFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return certFile, keyFile
}
