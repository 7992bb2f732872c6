package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"example.com/greet/internal/stack"
)

const envelopeHeader = 5 // bytes: one of flags, four of the length of what follows

// Flags of an envelope. gRPC has the first, Connect the first two, gRPC-Web the first and the last.
const (
	flagCompressed  = 1 << 0
	flagEndOfStream = 1 << 1
	flagTrailers    = 1 << 7
)

// body is one direction of an exchange, read as messages.
type body struct {
	contentType, encoding, protocol string
	json, enveloped                 bool
	message                         protoreflect.MessageDescriptor // nil if unknown

	kept []byte // of a message that is not whole yet
	// The rest of the current envelope in bytes, and whether it holds a message rather than an end
	// of stream.
	left      int
	isMessage bool
	header    []byte
	flags     byte
}

// feed takes the next bytes and returns the envelopes and messages that they complete.
func (b *body) feed(piece []byte) (parts []Part, message int) {
	if b.protocol == "" {
		return []Part{{Text: quoted(piece)}}, 0
	}
	if !b.enveloped {
		b.kept = append(b.kept, piece...)
		return nil, len(piece)
	}
	for len(piece) > 0 {
		if b.left == 0 && len(b.header) < envelopeHeader {
			n := min(envelopeHeader-len(b.header), len(piece))
			b.header = append(b.header, piece[:n]...)
			piece = piece[n:]
			if len(b.header) == envelopeHeader {
				parts = append(parts, b.envelope())
				parts = append(parts, b.wholeMessage()...)
			}
			continue
		}
		n := min(b.left, len(piece))
		b.kept = append(b.kept, piece[:n]...)
		b.left -= n
		piece = piece[n:]
		if b.isMessage {
			message += n
		}
		parts = append(parts, b.wholeMessage()...)
	}
	return parts, message
}

// envelope reads the five bytes.
func (b *body) envelope() Part {
	b.flags, b.left = b.header[0], int(binary.BigEndian.Uint32(b.header[1:]))
	meaning := fmt.Sprintf("flags %d; in four bytes the length, %d", b.flags, b.left)
	b.isMessage = true
	switch {
	case b.protocol == stack.Connect && b.flags&flagEndOfStream != 0:
		b.isMessage = false
		meaning = "flags 2: Connect's end of stream follows"
	case b.protocol == stack.GRPCWeb && b.flags&flagTrailers != 0:
		b.isMessage = false
		meaning = "flags 80: gRPC-Web's trailers follow"
	case b.flags&flagCompressed != 0:
		meaning = fmt.Sprintf("flags 1: compressed, into %d bytes", b.left)
	}
	return Part{Text: fmt.Sprintf("envelope % x", b.header), Meaning: meaning, Role: Envelope}
}

// wholeMessage describes the contents of an envelope once all of it has come.
func (b *body) wholeMessage() []Part {
	if b.left > 0 || len(b.header) < envelopeHeader {
		return nil
	}
	content := b.kept
	b.kept, b.header = nil, nil
	switch {
	case b.isMessage:
		return []Part{b.messagePart(content, b.flags&flagCompressed != 0)}
	case b.protocol == stack.Connect:
		end := Part{Text: "end of stream " + shortenTo(string(content), longestError), Meaning: "the status and the trailers; {} is OK", Role: Status}
		return append([]Part{end}, connectDetails(content)...)
	}
	var parts []Part
	for line := range strings.SplitSeq(strings.TrimSpace(string(content)), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		f := field{strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)}
		parts = append(parts, Part{Text: "trailer " + f.name + ": " + shorten(f.value), Meaning: fieldMeaning(f, true), Role: fieldRole(f)})
		if f.name == "grpc-status-details-bin" {
			parts = append(parts, statusDetails(f.value)...)
		}
	}
	return parts
}

// end describes a message without an envelope: the whole body.
func (b *body) end(status string) []Part {
	switch {
	case b.protocol == "" || b.enveloped:
		return nil
	case status != "" && status != "200":
		b.json, b.message = true, nil
		failed := Part{Text: "error " + shortenTo(string(b.kept), longestError), Meaning: "Connect's error: code, text, details"}
		return append([]Part{failed}, connectDetails(b.kept)...)
	}
	part := b.messagePart(b.kept, b.encoding == "gzip")
	part.Meaning = "no envelope: the body is the message"
	return []Part{part}
}

func (b *body) messagePart(content []byte, compressed bool) Part {
	size := len(content)
	if compressed {
		content = expand(content)
	}
	text := shorten(string(content))
	if !b.json {
		text = messageText(b.message, content)
	}
	return Part{Text: fmt.Sprintf("message of %d: %s", size, text)}
}

// maxExpanded bounds the expansion of a compressed message that is shown.
const maxExpanded = 1 << 20

// expand unpacks gzip as far as possible.
func expand(content []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	all, _ := io.ReadAll(io.LimitReader(r, maxExpanded)) // the readable part is enough to show
	return all
}
