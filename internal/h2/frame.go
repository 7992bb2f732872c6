package h2

import "encoding/binary"

// frameType is the kind of a frame (RFC 9113, section 6).
type frameType uint8

const (
	frameData         frameType = 0x0
	frameHeaders      frameType = 0x1
	framePriority     frameType = 0x2
	frameReset        frameType = 0x3
	frameSettings     frameType = 0x4
	framePush         frameType = 0x5
	framePing         frameType = 0x6
	frameGoAway       frameType = 0x7
	frameWindow       frameType = 0x8
	frameContinuation frameType = 0x9
)

// Flags of a frame. A bit means different things in different frames.
const (
	flagAck        = 0x01 // SETTINGS, PING
	flagEndStream  = 0x01 // DATA, HEADERS
	flagEndHeaders = 0x04 // HEADERS, CONTINUATION
	flagPadded     = 0x08 // DATA, HEADERS
	flagPriority   = 0x20 // HEADERS
)

const (
	// preface is what a client sends before its first frame (section 3.4). An
	// HTTP/1.1 server would take it for a broken request.
	preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

	headLen = 9
	// maxFrame is the largest payload that we accept, and what any peer accepts
	// until it says otherwise.
	maxFrame = 1 << 14

	maxStreamID = 1<<31 - 1
	maxWindow   = 1<<31 - 1
)

// head is the fixed part of every frame:
//
//	+-----------------------------------------------+
//	|                 length (24)                   |
//	+---------------+---------------+---------------+
//	|   type (8)    |   flags (8)   |
//	+-+-------------+---------------+-------------------------------+
//	|R|                 stream identifier (31)                      |
//	+=+=============================================================+
//	|                   payload, of length bytes
type head struct {
	length int
	kind   frameType
	flags  uint8
	stream uint32 // 0 is the connection itself
}

func (h head) has(flag uint8) bool { return h.flags&flag != 0 }

// parseHead reads the first headLen bytes of p, which are there. The reserved bit
// is ignored, as section 4.1 asks.
func parseHead(p []byte) head {
	_ = p[headLen-1]
	return head{
		length: int(p[0])<<16 | int(p[1])<<8 | int(p[2]),
		kind:   frameType(p[3]),
		flags:  p[4],
		stream: binary.BigEndian.Uint32(p[5:]) & maxStreamID,
	}
}

func appendHead(b []byte, length int, kind frameType, flags uint8, stream uint32) []byte {
	return append(b,
		byte(length>>16), byte(length>>8), byte(length), byte(kind), flags,
		byte(stream>>24), byte(stream>>16), byte(stream>>8), byte(stream))
}

// appendWord appends a frame whose payload is one 32-bit number: a reset with its
// code, or an increment of a window.
func appendWord(b []byte, kind frameType, stream, word uint32) []byte {
	return binary.BigEndian.AppendUint32(appendHead(b, 4, kind, 0, stream), word)
}

func appendPing(b []byte, flags uint8, data [8]byte) []byte {
	return append(appendHead(b, len(data), framePing, flags, 0), data[:]...)
}

func appendGoAway(b []byte, last uint32, code ErrCode, text string) []byte {
	b = appendHead(b, 8+len(text), frameGoAway, 0, 0)
	b = binary.BigEndian.AppendUint32(b, last)
	b = binary.BigEndian.AppendUint32(b, uint32(code))
	return append(b, text...)
}

// unpad strips the padding from the payload of a DATA or HEADERS frame (section
// 6.1): its length comes first, the padding itself last.
func unpad(h head, p []byte) ([]byte, error) {
	if !h.has(flagPadded) {
		return p, nil
	}
	if len(p) == 0 {
		return nil, connError(FrameSizeError, "padded frame without a padding length")
	}
	padding := int(p[0])
	if padding >= len(p) {
		return nil, connError(ProtocolError, "padding as long as the frame or longer")
	}
	return p[1 : len(p)-padding], nil
}
