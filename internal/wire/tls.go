package wire

import (
	"bufio"
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"time"

	"golang.org/x/crypto/chacha20poly1305"
)

// Types of TLS records (RFC 8446, section 5.1).
const (
	recordChangeCipherSpec = 20
	recordAlert            = 21
	recordHandshake        = 22
	recordData             = 23
)

const recordHeader = 5 // bytes: type, version, length

func looksLikeTLS(data []byte) bool {
	return (data[0] == recordHandshake || data[0] == recordAlert) && (len(data) < 2 || data[1] == 3)
}

// secrets are the lines of a key log, by "LABEL client-random".
type secrets map[string][]byte

func parseKeyLog(log []byte) secrets {
	found := secrets{}
	for lines := bufio.NewScanner(bytes.NewReader(log)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		if secret, err := hex.DecodeString(fields[2]); err == nil {
			found[fields[0]+" "+fields[1]] = secret
		}
	}
	return found
}

// tlsConn decrypts TLS 1.3 with the secrets that the client's library has logged.
type tlsConn struct {
	random  string // the client's, by which secrets are found
	suite   uint16
	inner   [2]*half
	keys    [2][]*recordKey // by Side: of the handshake, then of the data
	records [2]int          // of data, since the last line about them
	hidden  [2]int          // bytes around their contents
}

// startTLS replaces itself by the decoder of records. The first record, from either side, makes the
// shared state.
func (c *conn) startTLS(h *half, at time.Time, data []byte) int {
	if c.tls == nil {
		c.tls = new(tlsConn)
		for side := range c.tls.inner {
			c.tls.inner[side] = &half{conn: c, from: Side(side), inside: true, next: detect}
		}
	}
	h.next = c.tls.record
	return h.next(h, at, data)
}

// record decodes one record.
func (t *tlsConn) record(h *half, at time.Time, data []byte) int {
	if len(data) < recordHeader {
		return 0
	}
	size := recordHeader + int(binary.BigEndian.Uint16(data[3:]))
	if len(data) < size {
		return 0
	}
	record := data[:size]
	switch record[0] {
	case recordHandshake:
		t.hello(h, at, record)
	case recordChangeCipherSpec:
		h.line(at, Line{Size: size, Kind: "TLS", What: "TLS ChangeCipherSpec"})
	case recordData:
		t.encrypted(h, at, record)
	default:
		h.line(at, Line{Size: size, Kind: "TLS", What: "TLS " + alertText(record[recordHeader:]), Meaning: "this side gives up"})
	}
	return size
}

// hello decodes a handshake record that is not encrypted: a hello.
func (t *tlsConn) hello(h *half, at time.Time, record []byte) {
	body := record[recordHeader:]
	l := Line{Size: len(record), Kind: "TLS", What: "TLS handshake"}
	const randomAt, random = 6, 32
	if len(body) > randomAt+random {
		switch body[0] {
		case 1:
			t.random = hex.EncodeToString(body[randomAt : randomAt+random])
			l.What, l.Meaning = "TLS ClientHello", "which ciphers, which HTTP"
		case 2:
			session := int(body[randomAt+random])
			if at := randomAt + random + 1 + session; len(body) >= at+2 {
				t.suite = binary.BigEndian.Uint16(body[at:])
				l.What, l.Meaning = "TLS ServerHello "+tls.CipherSuiteName(t.suite), "from here on all is encrypted"
			}
		}
	}
	h.line(at, l)
}

// encrypted decodes an encrypted record: the rest of the handshake, or data.
func (t *tlsConn) encrypted(h *half, at time.Time, record []byte) {
	plain, kind, err := t.open(h.conn.decoder.secrets, h.from, record)
	switch {
	case err != nil:
		h.line(at, Line{Size: len(record), Kind: "TLS", What: "TLS record", Meaning: "encrypted, and not readable here: " + err.Error()})
	case kind == recordData:
		t.records[h.from]++
		t.hidden[h.from] += len(record) - len(plain)
		t.inner[h.from].feed(at, plain)
	case kind == recordAlert:
		h.line(at, Line{Size: len(record), Kind: "TLS", What: "TLS " + alertText(plain), Meaning: "no more will come from this side"})
	default:
		h.line(at, Line{Size: len(record), Kind: "TLS", What: "TLS " + handshakeNames(plain)})
	}
}

// tellRecords adds a line for the overhead of the data records since the last time.
func (c *conn) tellRecords() {
	if c.tls == nil {
		return
	}
	for side, n := range c.tls.records {
		if n == 0 {
			continue
		}
		last := c.decoder.lines[len(c.decoder.lines)-1].at
		c.halves[side].line(last, Line{Size: c.tls.hidden[side], Kind: "TLS", What: fmt.Sprintf("TLS records: %d", n),
			Meaning: "header and seal around the above"})
		c.tls.records[side], c.tls.hidden[side] = 0, 0
	}
}

// recordKey opens the records of one side and one phase.
type recordKey struct {
	aead     cipher.AEAD
	iv       []byte
	sequence uint64
}

// open decrypts one record and returns its contents and real type. A side that has finished its
// handshake continues with other keys.
func (t *tlsConn) open(s secrets, from Side, record []byte) (plain []byte, kind byte, err error) {
	if t.keys[from] == nil {
		if t.keys[from], err = t.deriveKeys(s, from); err != nil {
			return nil, 0, err
		}
	}
	for len(t.keys[from]) > 0 {
		plain, kind, err = t.keys[from][0].open(record)
		if err == nil || len(t.keys[from]) == 1 {
			return plain, kind, err
		}
		t.keys[from] = t.keys[from][1:]
	}
	return nil, 0, err
}

func (k *recordKey) open(record []byte) (plain []byte, kind byte, err error) {
	nonce := bytes.Clone(k.iv)
	for i := range 8 {
		nonce[len(nonce)-1-i] ^= byte(k.sequence >> (8 * i))
	}
	plain, err = k.aead.Open(nil, nonce, record[recordHeader:], record[:recordHeader])
	if err != nil {
		return nil, 0, err
	}
	k.sequence++
	plain = bytes.TrimRight(plain, "\x00") // padding
	if len(plain) == 0 {
		return nil, 0, fmt.Errorf("an empty record")
	}
	return plain[:len(plain)-1], plain[len(plain)-1], nil
}

// deriveKeys makes a side's keys from its secrets (RFC 8446, section 7.3).
func (t *tlsConn) deriveKeys(s secrets, from Side) ([]*recordKey, error) {
	who := [...]string{"CLIENT", "SERVER"}[from]
	var keys []*recordKey
	for _, label := range []string{who + "_HANDSHAKE_TRAFFIC_SECRET ", who + "_TRAFFIC_SECRET_0 "} {
		secret := s[label+t.random]
		if secret == nil {
			return nil, fmt.Errorf("no %sin the key log (only TLS 1.3 is read)", label)
		}
		key, err := newRecordKey(t.suite, secret)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func newRecordKey(suite uint16, secret []byte) (*recordKey, error) {
	hash, keySize := sha256.New, 16
	switch suite {
	case tls.TLS_AES_256_GCM_SHA384:
		hash, keySize = sha512.New384, 32
	case tls.TLS_CHACHA20_POLY1305_SHA256:
		keySize = chacha20poly1305.KeySize
	}
	key, err := expandLabel(hash, secret, "key", keySize)
	if err != nil {
		return nil, err
	}
	iv, err := expandLabel(hash, secret, "iv", 12)
	if err != nil {
		return nil, err
	}
	aead, err := newAEAD(suite, key)
	return &recordKey{aead: aead, iv: iv}, err
}

func newAEAD(suite uint16, key []byte) (cipher.AEAD, error) {
	if suite == tls.TLS_CHACHA20_POLY1305_SHA256 {
		return chacha20poly1305.New(key)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// expandLabel is HKDF-Expand-Label with an empty context (RFC 8446, section 7.1).
func expandLabel(hash func() hash.Hash, secret []byte, label string, size int) ([]byte, error) {
	label = "tls13 " + label
	info := append([]byte{byte(size >> 8), byte(size), byte(len(label))}, label...)
	return hkdf.Expand(hash, secret, string(append(info, 0)), size)
}

var handshakeTypes = map[byte]string{
	4: "NewSessionTicket", 8: "EncryptedExtensions", 11: "Certificate", 13: "CertificateRequest",
	15: "CertificateVerify", 20: "Finished", 24: "KeyUpdate",
}

// handshakeNames lists the handshake messages that begin in data.
func handshakeNames(data []byte) string {
	var names []string
	for len(data) >= 4 {
		name := handshakeTypes[data[0]]
		if name == "" {
			name = "handshake"
		}
		names = append(names, name)
		size := 4 + int(binary.BigEndian.Uint32(data)&0xffffff)
		data = data[min(size, len(data)):]
	}
	return strings.Join(names, ", ")
}

func alertText(data []byte) string {
	if len(data) < 2 {
		return "alert"
	}
	return tls.AlertError(data[1]).Error()
}
