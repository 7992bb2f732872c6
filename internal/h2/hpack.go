package h2

import (
	"bytes"

	"golang.org/x/net/http2/hpack"
)

// Field is one header field. Sensitive ones are sent as literals that no table
// remembers (RFC 7541, section 7.1.3).
type Field = hpack.HeaderField

// Block is a header that a connection sends again and again. The first time, its
// fields go out as literals that enter the peer's dynamic table; from then on the
// whole block is a byte or two of index per field. A Block belongs to one
// connection.
type Block struct {
	fields  []Field
	encoded []byte
	version uint64 // of the table for which encoded holds; 0 means none
}

// NewBlock returns a block of the fields, pseudo-header fields first and names in
// lower case. The fields must not be changed afterwards.
func NewBlock(fields ...Field) *Block { return &Block{fields: fields} }

// encoder compresses what the connection sends.
type encoder struct {
	hpack *hpack.Encoder
	buf   bytes.Buffer
	// version counts the changes of the dynamic table. An index means the same
	// field as long as nothing has been inserted or evicted since.
	version uint64
}

func newEncoder() *encoder {
	e := &encoder{version: 1}
	e.hpack = hpack.NewEncoder(&e.buf)
	return e
}

// resize follows the peer's HEADER_TABLE_SIZE. The change must be announced at the
// start of the next block, so that no earlier encoding holds.
func (e *encoder) resize(size uint32) {
	e.hpack.SetMaxDynamicTableSize(size)
	e.version++
}

// encode returns the block with the extra fields after it. What it returns holds
// until the next call, and must be sent before any other block: the peer's table
// changes in the order of what it receives.
func (e *encoder) encode(b *Block, extra []Field) []byte {
	if len(extra) == 0 && b.version == e.version {
		return b.encoded
	}
	e.buf.Reset()
	for _, f := range b.fields {
		_ = e.hpack.WriteField(f) // a bytes.Buffer takes everything
	}
	for _, f := range extra {
		_ = e.hpack.WriteField(f)
	}
	encoded := e.buf.Bytes()
	switch {
	case !allIndexed(encoded):
		e.version++
	case len(extra) == 0:
		b.encoded, b.version = append(b.encoded[:0], encoded...), e.version
	}
	return encoded
}

// allIndexed reports whether every representation in the block is an indexed
// field (RFC 7541, section 6.1: the top bit set, then an index). Nothing but a
// literal with incremental indexing (section 6.2.1) or a change of size (6.3)
// alters a dynamic table, so such a block leaves the table as it found it.
func allIndexed(block []byte) bool {
	for len(block) > 0 {
		first := block[0]
		if first&0x80 == 0 {
			return false
		}
		block = block[1:]
		if first != 0xff {
			continue
		}
		for len(block) > 0 && block[0]&0x80 != 0 { // the index goes on (section 5.1)
			block = block[1:]
		}
		if len(block) == 0 {
			return false
		}
		block = block[1:]
	}
	return true
}

// decoder decompresses what the connection receives.
type decoder struct {
	hpack   *hpack.Decoder
	fresh   Header // of a block that was not remembered
	into    *Header
	size    uint32 // of the fields so far
	limit   uint32
	role    role
	memo    [4]memo
	next    int // the memo to overwrite
	version uint64
}

// memo is a block and what it decoded to.
type memo struct {
	block   []byte
	header  Header
	version uint64
}

func newDecoder(limit uint32, role role) *decoder {
	d := &decoder{limit: limit, role: role, version: 1}
	d.hpack = hpack.NewDecoder(defaultSettings.tableSize, d.emit)
	d.hpack.SetMaxStringLength(int(limit))
	return d
}

// decode returns the header of a whole block. It holds until the next call.
//
// A block that is byte for byte one that was seen before is not decoded again, if
// all of it was indexed and no block since then was of any other kind. That is
// safe: what a block decodes to depends on its bytes and the dynamic table alone;
// a block of nothing but indexed fields does not alter the table (allIndexed);
// and version counts every other block, also one that fails. So between the two
// the table has stayed the same, and so must the outcome.
func (d *decoder) decode(block []byte) (*Header, error) {
	for i := range d.memo {
		if m := &d.memo[i]; m.version == d.version && bytes.Equal(m.block, block) {
			return &m.header, nil
		}
	}
	if !allIndexed(block) {
		d.version++
		d.into = &d.fresh
		return d.decodeAnew(block)
	}
	m := &d.memo[d.next]
	d.next = (d.next + 1) % len(d.memo)
	m.block, m.version = append(m.block[:0], block...), 0
	d.into = &m.header
	h, err := d.decodeAnew(block)
	if err == nil && h.fault == nil {
		m.version = d.version
	}
	return h, err
}

func (d *decoder) decodeAnew(block []byte) (*Header, error) {
	d.into.reset()
	d.size = 0
	d.hpack.SetEmitEnabled(true)
	if _, err := d.hpack.Write(block); err != nil {
		return nil, connError(CompressionError, err.Error())
	}
	if err := d.hpack.Close(); err != nil {
		return nil, connError(CompressionError, err.Error())
	}
	if d.size > d.limit {
		// A few thousand indexes of a large entry of the table are an HPACK bomb.
		return nil, connError(EnhanceYourCalm, "header larger than MAX_HEADER_LIST_SIZE")
	}
	d.into.validate(d.role)
	return d.into, nil
}

// emit takes one field. Above the limit it only counts, so that a bomb costs no
// memory.
func (d *decoder) emit(f Field) {
	d.size += f.Size()
	if d.size > d.limit {
		d.hpack.SetEmitEnabled(false)
		return
	}
	d.into.Fields = append(d.into.Fields, f)
}
