package h2

import (
	"errors"
	"fmt"
)

// ErrCode says why a stream or a connection ended (RFC 9113, section 7).
type ErrCode uint32

// The codes of RFC 9113.
const (
	NoError            ErrCode = 0x0
	ProtocolError      ErrCode = 0x1
	InternalError      ErrCode = 0x2
	FlowControlError   ErrCode = 0x3
	SettingsTimeout    ErrCode = 0x4
	StreamClosed       ErrCode = 0x5
	FrameSizeError     ErrCode = 0x6
	RefusedStream      ErrCode = 0x7
	Cancel             ErrCode = 0x8
	CompressionError   ErrCode = 0x9
	ConnectError       ErrCode = 0xa
	EnhanceYourCalm    ErrCode = 0xb
	InadequateSecurity ErrCode = 0xc
	HTTP11Required     ErrCode = 0xd
)

var codeNames = [...]string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
	"STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
	"CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

// String is the code's name in the RFC.
func (c ErrCode) String() string {
	if c < ErrCode(len(codeNames)) {
		return codeNames[c]
	}
	return fmt.Sprintf("code 0x%x", uint32(c))
}

// ConnError is a fault that ends the connection (section 5.4.1).
type ConnError struct {
	Code   ErrCode
	Reason string
	// Peer says that the peer found the fault, and sent it in GOAWAY.
	Peer bool
}

// Error says who found what.
func (e *ConnError) Error() string {
	if e.Peer {
		return fmt.Sprintf("peer ended the connection: %s %s", e.Code, e.Reason)
	}
	return fmt.Sprintf("connection error %s: %s", e.Code, e.Reason)
}

func connError(code ErrCode, reason string) error { return &ConnError{Code: code, Reason: reason} }

var (
	// ErrClosed is how a connection ends that this end closed, or that ended
	// because it was asked to and had no streams left.
	ErrClosed = errors.New("connection closed")
	// errStalled is how a connection ends whose peer does not read.
	errStalled = errors.New("peer does not read what it asked for")
	// errVanished is how a connection ends whose peer is gone without a word.
	errVanished = errors.New("peer does not answer")
)

// End says how a stream ended.
type End struct {
	By   By
	Code ErrCode // of the reset; NoError for a clean end
}

// By says who ended a stream.
type By uint8

const (
	// Both says that both ends said that they were done.
	Both By = iota
	// Local says that this end reset the stream.
	Local
	// Peer says that the peer reset the stream.
	Peer
	// Refused says that the peer has not begun to process the stream, so that it may
	// be opened again elsewhere (section 8.7).
	Refused
	// Lost says that the connection ended under the stream.
	Lost
)
