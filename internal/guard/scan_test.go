package guard

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/http2"
)

// frames writes the preface and what write adds to it.
func frames(write func(*http2.Framer)) []byte {
	var b bytes.Buffer
	b.WriteString(preface)
	f := http2.NewFramer(&b, nil)
	f.AllowIllegalWrites = true
	write(f)
	return b.Bytes()
}

// tableSizes writes one SETTINGS frame for each size.
func tableSizes(f *http2.Framer, sizes ...uint32) {
	for _, size := range sizes {
		_ = f.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: size}) // a buffer takes everything
	}
}

// block writes a header block with that many CONTINUATION frames.
func block(f *http2.Framer, continuations int) {
	_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte("x"), EndHeaders: continuations == 0})
	for i := range continuations {
		_ = f.WriteContinuation(1, i == continuations-1, nil)
	}
}

var scans = []struct {
	name  string
	bytes []byte
	want  error
}{
	{"nothing", nil, nil},
	{"HTTP/1.1", []byte("POST / HTTP/1.1\r\nHost: x\r\n\r\n"), nil},
	{"a preface that turns out none", []byte("PRI * HTTP/2.0\r\n\r\nSMALL"), nil},
	{"a table size, once", frames(func(f *http2.Framer) { tableSizes(f, 0) }), nil},
	{"the same table size again", frames(func(f *http2.Framer) { tableSizes(f, 0, 0) }), nil},
	{"a size beyond what encoders use, and one further beyond", frames(func(f *http2.Framer) { tableSizes(f, 65536, 4096, 1<<20) }), nil},
	{"the default table size, named late", frames(func(f *http2.Framer) { _ = f.WriteSettings(); tableSizes(f, 4096) }), nil},
	{"another table size, named late", frames(func(f *http2.Framer) { _ = f.WriteSettings(); tableSizes(f, 0) }), errTableSize},
	{"another table size", frames(func(f *http2.Framer) { tableSizes(f, 0, 4096) }), errTableSize},
	{"a table size after other settings", frames(func(f *http2.Framer) {
		_ = f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1})
		_ = f.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 14}, http2.Setting{ID: http2.SettingHeaderTableSize, Val: 1})
	}), errTableSize},
	{"settings acknowledged", frames(func(f *http2.Framer) {
		tableSizes(f, 0)
		_ = f.WriteSettingsAck()
		_ = f.WriteData(1, true, []byte("data"))
	}), nil},
	{"64 continuations", frames(func(f *http2.Framer) { block(f, maxContinuations) }), nil},
	{"65 continuations", frames(func(f *http2.Framer) { block(f, maxContinuations+1) }), errContinuations},
	{"64 continuations, twice", frames(func(f *http2.Framer) { block(f, maxContinuations); block(f, maxContinuations) }), nil},
}

func TestScan(t *testing.T) {
	for _, test := range scans {
		t.Run(test.name, func(t *testing.T) {
			if _, err := scanIn(test.bytes, len(test.bytes)+1); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// scanIn scans b in pieces of at most n bytes and returns what the library gets.
func scanIn(b []byte, n int) (passed []byte, err error) {
	s := newScanner()
	for piece := range slices.Chunk(bytes.Clone(b), n) {
		ok, err := s.scan(piece)
		passed = append(passed, piece[:ok]...)
		if err != nil {
			return passed, err
		}
	}
	return passed, nil
}

// TestWaits says of each beginning of a connection what it waits for.
func TestWaits(t *testing.T) {
	data := frames(func(f *http2.Framer) { _ = f.WriteData(1, true, []byte("data")) })
	open := frames(func(f *http2.Framer) {
		_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte("x")})
	})
	for _, test := range []struct {
		name  string
		bytes []byte
		want  wait
	}{
		{"half a preface", []byte(preface[:5]), forNothing}, // which the library bounds
		{"a preface", []byte(preface), forNothing},
		{"half a head", data[:len(preface)+4], forRest},
		{"half of DATA", data[:len(data)-2], forData},
		{"DATA", data, forNothing},
		{"half of HEADERS", open[:len(open)-1], forRest},
		{"a block that is open", open, forRest},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScanner()
			if _, err := s.scan(test.bytes); err != nil {
				t.Fatal(err)
			}
			if got := s.waits(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// FuzzScan holds what comes out of the scanner against what went in: nothing is
// lost or added, however the bytes come, and no later SETTINGS frame names the
// table's size.
func FuzzScan(f *testing.F) {
	for i, test := range scans {
		f.Add(test.bytes, uint8(i))
	}
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		whole, err := scanIn(in, len(in)+1)
		pieces, inPiecesErr := scanIn(in, int(piece)+1)
		if !bytes.Equal(whole, pieces) || !errors.Is(inPiecesErr, err) {
			t.Fatalf("in pieces of %d: got %q, %v; want %q, %v", piece, pieces, inPiecesErr, whole, err)
		}
		if err == nil && len(whole) != len(in) {
			t.Fatalf("%d of %d bytes passed", len(whole), len(in))
		}
		for i, b := range whole {
			if b != in[i] && (b != settingIgnored || in[i] != settingHeaderTableSize) {
				t.Fatalf("byte %d became %x, was %x", i, b, in[i])
			}
		}
		wantHarmless(t, whole)
	})
}

// wantHarmless reads frames from a whole buffer, as the scanner does not.
func wantHarmless(t *testing.T, b []byte) {
	t.Helper()
	rest, isHTTP2 := strings.CutPrefix(string(b), preface)
	if !isHTTP2 {
		return
	}
	for settings, continuations := 0, 0; len(rest) >= headBytes; {
		length := int(rest[0])<<16 | int(rest[1])<<8 | int(rest[2])
		kind, flags := rest[3], rest[4]
		payload := rest[headBytes:min(headBytes+length, len(rest))]
		rest = rest[headBytes+len(payload):]
		switch {
		case kind == frameHeaders || kind == framePushPromise:
			continuations = 0
		case kind == frameContinuation:
			if continuations++; continuations > maxContinuations {
				t.Fatalf("%d CONTINUATION frames passed", continuations)
			}
		case kind == frameSettings && flags&flagAck == 0:
			if settings++; settings > 1 {
				wantNoTableSize(t, payload)
			}
		}
	}
}

func wantNoTableSize(t *testing.T, payload string) {
	t.Helper()
	for ; len(payload) >= entryBytes; payload = payload[entryBytes:] {
		if binary.BigEndian.Uint16([]byte(payload)) == settingHeaderTableSize {
			t.Fatal("a later SETTINGS frame names the table's size")
		}
	}
}
