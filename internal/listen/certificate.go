package listen

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// selfSignedLife is short: such a certificate is made anew at each start, and should be worthless
// when found later. Chromium, for one, refuses to pin certificates that live longer than two weeks.
const selfSignedLife = 7 * 24 * time.Hour

// SelfSigned makes a certificate, with its key, for localhost, both loopback
// addresses and the hosts given, which may be names or IP addresses.
func SelfSigned(hosts ...string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make certificate key: %w", err)
	}
	template := selfSignedTemplate(append([]string{"localhost", "127.0.0.1", "::1"}, hosts...))
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read certificate just made: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, nil
}

func selfSignedTemplate(hosts []string) *x509.Certificate {
	now := time.Now()
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "greet demo server"},
		NotBefore:             now.Add(-time.Hour), // clocks differ
		NotAfter:              now.Add(selfSignedLife),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, // not a CA: some libraries refuse one as a server's certificate
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	return template
}

// LoadCertificate reads a certificate chain and its key, both PEM.
func LoadCertificate(certFile, keyFile string) (tls.Certificate, error) {
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("load certificate %s with key %s: %w", certFile, keyFile, err)
	}
	return cert, nil
}

// WritePEM writes the public half of cert, which clients need to trust it.
func WritePEM(file string, cert tls.Certificate) error {
	var text []byte
	for _, der := range cert.Certificate {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return fmt.Errorf("write certificate: %w", err)
	}
	return nil
}

// WriteKeyPEM writes the private key of cert, readable by its owner alone, for a server process
// that shows cert.
func WriteKeyPEM(file string, cert tls.Certificate) error {
	der, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	return nil
}

// ServerTLS is the configuration of a server that shows cert. TLS 1.2 is the lowest version that
// browsers and gRPC libraries still speak; QUIC requires 1.3 by itself (RFC 9001, section 4.2).
func ServerTLS(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
}

// ClientTLS is the configuration of a client that trusts the certificates in caFile, or those of
// the system when caFile is empty. With insecure it trusts any certificate, which is safe only for
// a server on one's own machine.
func ClientTLS(caFile string, insecure bool) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: insecure}
	if caFile == "" {
		return config, nil
	}
	if insecure {
		return nil, errors.New("trust: give a CA file or insecure, not both")
	}
	text, err := os.ReadFile(caFile)
	if err != nil {
		return nil, fmt.Errorf("read CA file: %w", err)
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("read CA file %s: no PEM certificate in it", caFile)
	}
	return config, nil
}
