package h2

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/http2/hpack"
)

func TestBlockBecomesIndexes(t *testing.T) {
	e := newEncoder()
	b := NewBlock(append(getBlock, Field{Name: "te", Value: "trailers"})...)
	first := len(e.encode(b, nil))
	if second := e.encode(b, nil); len(second) != 4 || !allIndexed(second) || first <= 4 {
		t.Errorf("%d bytes, then %x, want more than 4, then 4 indexes", first, second)
	}
	// Another field moves the table on: the indexes of before now mean others.
	e.encode(NewBlock(Field{Name: "new", Value: "field"}), nil)
	before := bytes.Clone(b.encoded)
	if after := e.encode(b, nil); bytes.Equal(before, after) || !allIndexed(after) {
		t.Errorf("after the table has changed: %x, and before: %x, want other indexes", after, before)
	}
}

func TestAllIndexed(t *testing.T) {
	for _, test := range []struct {
		block string
		want  bool
	}{
		{"", true},
		{"\x82\x86\xbe", true},
		{"\xff\x00", true},
		{"\xff\x80\x01\x82", true},
		{"\xff", false},
		{"\xff\x80", false},
		{"\x82\x40\x01a\x01b", false}, // incremental indexing
		{"\x82\x00\x01a\x01b", false}, // without
		{"\x82\x10\x01a\x01b", false}, // never
		{"\x20\x82", false},           // a change of size
	} {
		if got := allIndexed([]byte(test.block)); got != test.want {
			t.Errorf("allIndexed(%x) = %v, want %v", test.block, got, test.want)
		}
	}
}

// TestMemoDecodesAlike decodes blocks at random, most of which repeat while the
// table changes between them, and compares with a decoder that remembers nothing.
func TestMemoDecodesAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	e := newEncoder()
	d := newDecoder(maxHeaderList, requestRole)
	plain := hpack.NewDecoder(4096, nil)
	var blocks []*Block
	for i := range 6 {
		blocks = append(blocks, NewBlock(append(getBlock, Field{Name: fmt.Sprintf("name-%d", i), Value: strings.Repeat("v", 100*i)})...))
	}
	remembered := 0
	for step := range 20_000 {
		var extra []Field
		if random.IntN(20) == 0 {
			extra = []Field{{Name: "extra", Value: fmt.Sprint(random.IntN(50)), Sensitive: random.IntN(2) == 0}}
		}
		if random.IntN(500) == 0 {
			e.resize(uint32(random.IntN(5000)))
		}
		block := bytes.Clone(e.encode(blocks[random.IntN(len(blocks))], extra))
		want, err := plain.DecodeFull(block)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.decode(block)
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if got.Parsed != nil {
			remembered++
		}
		got.Parsed = true
		if diff := cmp.Diff(want, got.Fields); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", step, diff)
		}
	}
	if remembered < 5000 {
		t.Errorf("%d of 20,000 blocks were remembered, want many", remembered)
	}
}

func TestHeaderBombIsRefused(t *testing.T) {
	var bomb bytes.Buffer
	e := hpack.NewEncoder(&bomb)
	field := Field{Name: "x", Value: strings.Repeat("v", 4000)}
	for range 19 << 10 {
		_ = e.WriteField(field) // the first time in full, then a byte each
	}
	d := newDecoder(maxHeaderList, requestRole)
	_, err := d.decode(bomb.Bytes())
	if e, ok := err.(*ConnError); !ok || e.Code != EnhanceYourCalm {
		t.Errorf("%d bytes that say %d MiB: got %v, want ENHANCE_YOUR_CALM", bomb.Len(), 4000*19>>10, err)
	}
	if len(d.into.Fields) > 20 {
		t.Errorf("%d fields were kept", len(d.into.Fields))
	}
}

func TestMalformedHeaders(t *testing.T) {
	pseudo := func(pairs ...string) []Field {
		fields := make([]Field, 0, len(pairs)/2)
		for i := 0; i < len(pairs); i += 2 {
			fields = append(fields, Field{Name: pairs[i], Value: pairs[i+1]})
		}
		return fields
	}
	with := func(name, value string) []Field { return append(getBlock[:3:3], Field{Name: name, Value: value}) }
	for _, test := range []struct {
		what   string
		role   role
		fields []Field
		want   error
	}{
		{"whole", requestRole, getBlock, nil},
		{"regular field", requestRole, with("x", "y"), nil},
		{"pseudo after regular", requestRole, pseudo(":method", "GET", "x", "y", ":path", "/", ":scheme", "http"), errPseudoOrder},
		{"unknown pseudo", requestRole, with(":x", "y"), errPseudoUnknown},
		{"status in a request", requestRole, with(":status", "200"), errPseudoUnknown},
		{"method twice", requestRole, with(":method", "GET"), errPseudoTwice},
		{"no path", requestRole, pseudo(":method", "GET", ":scheme", "http"), errPseudoMissing},
		{"empty path", requestRole, pseudo(":method", "GET", ":scheme", "http", ":path", ""), errValue},
		{"connect", requestRole, pseudo(":method", "CONNECT", ":authority", "a:1"), nil},
		{"connect with a path", requestRole, pseudo(":method", "CONNECT", ":authority", "a:1", ":path", "/"), errPseudoMissing},
		{"upper case", requestRole, with("X", "y"), errName},
		{"space in a name", requestRole, with("a b", "y"), errName},
		{"empty name", requestRole, with("", "y"), errName},
		{"line break in a value", requestRole, with("x", "a\r\nb"), errValue},
		{"connection", requestRole, with("connection", "close"), errConnection},
		{"transfer-encoding", requestRole, with("transfer-encoding", "chunked"), errConnection},
		{"te trailers", requestRole, with("te", "trailers"), nil},
		{"te gzip", requestRole, with("te", "gzip"), errConnection},
		{"response", responseRole, okBlock, nil},
		{"path in a response", responseRole, pseudo(":status", "200", ":path", "/"), errPseudoUnknown},
		{"trailer", responseRole, endBlock, nil},
	} {
		h := Header{Fields: test.fields}
		h.validate(test.role)
		if test.want == nil && h.fault != nil || test.want != nil && (h.fault == nil || !strings.Contains(h.fault.Error(), test.want.Error())) {
			t.Errorf("%s: got %v, want %v", test.what, h.fault, test.want)
		}
	}
}
