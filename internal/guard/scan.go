package guard

import (
	"encoding/binary"
	"errors"
)

// The parts of RFC 9113 that the scanner knows: sections 3.4, 4.1, 6 and 6.5.
const (
	preface    = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	headBytes  = 9
	entryBytes = 6

	frameData         = 0x0
	frameHeaders      = 0x1
	frameSettings     = 0x4
	framePushPromise  = 0x5
	frameContinuation = 0x9

	flagAck        = 0x1
	flagEndHeaders = 0x4

	settingHeaderTableSize = 0x1
	// settingIgnored is an identifier without a meaning, which receivers must ignore. It differs
	// from settingHeaderTableSize in the last byte only.
	settingIgnored = 0xfa

	// defaultTableSize is HEADER_TABLE_SIZE before a peer sets it.
	defaultTableSize = 4096
	// maxContinuations bounds the frames of one header block. A header of 64 KiB, the
	// most that servers here take, needs four of the default size.
	maxContinuations = 64
)

var (
	errContinuations = errors.New("guard: a header block in more than 64 CONTINUATION frames")
	errTableSize     = errors.New("guard: the peer changed SETTINGS_HEADER_TABLE_SIZE during the connection")
)

// scanner follows the frames that a peer sends.
type scanner struct {
	state state
	seen  int // bytes received of the preface or of the frame's head

	head  [headBytes]byte
	left  int // bytes of the frame's payload still to come
	entry [entryBytes]byte
	// blockOpen is true from a HEADERS frame to the end of its block.
	blockOpen     bool
	continuations int
	settings      int // SETTINGS frames that have ended, acknowledgements apart
	begun         int // counts the frames and header blocks that the peer began
	tableSize     uint32
}

func newScanner() scanner { return scanner{tableSize: defaultTableSize} }

type state int

const (
	inPreface state = iota // also anything that is not HTTP/2
	inHead
	inPayload
	notHTTP2
)

// scan parses b and returns how much of it the library may have: all, unless there is an error. It
// may change b.
func (s *scanner) scan(b []byte) (int, error) {
	for i := 0; i < len(b); i++ {
		switch s.state {
		case notHTTP2:
			return len(b), nil
		case inPreface:
			s.scanPreface(b[i])
		case inHead:
			if err := s.scanHead(b[i]); err != nil {
				return i, err
			}
		case inPayload:
			if s.isSettings() {
				if err := s.scanSetting(&b[i]); err != nil {
					return i, err
				}
			} else {
				skip := min(s.left, len(b)-i)
				s.left -= skip
				i += skip - 1
			}
		}
		s.endFrame()
	}
	return len(b), nil
}

func (s *scanner) scanPreface(b byte) {
	if b != preface[s.seen] {
		s.state = notHTTP2
		return
	}
	if s.seen++; s.seen == len(preface) {
		s.state, s.seen = inHead, 0
	}
}

func (s *scanner) scanHead(b byte) error {
	if s.seen == 0 && !s.blockOpen {
		s.begun++
	}
	s.head[s.seen] = b
	if s.seen++; s.seen < headBytes {
		return nil
	}
	s.state, s.seen = inPayload, 0
	s.left = int(s.head[0])<<16 | int(s.head[1])<<8 | int(s.head[2])
	switch s.kind() {
	case frameHeaders, framePushPromise:
		s.blockOpen, s.continuations = true, 0
	case frameContinuation:
		if s.continuations++; s.continuations > maxContinuations {
			return errContinuations
		}
	}
	return nil
}

// scanSetting parses one byte of a SETTINGS frame.
//
// net/http has a copy of golang.org/x/net's HPACK. One goroutine resizes its encoder when settings
// arrive, while another may be encoding with it. Two of them at once end the process: "concurrent
// map read and map write". The first SETTINGS frame is harmless, since no response precedes it.
// From a later one the library gets no table size at all; a peer that changes the size is cut off,
// since its decoder would soon disagree.
func (s *scanner) scanSetting(b *byte) error {
	at := (s.payload() - s.left) % entryBytes
	s.entry[at] = *b
	s.left--
	isTableSize := binary.BigEndian.Uint16(s.entry[:]) == settingHeaderTableSize
	if at == 1 && isTableSize && s.settings > 0 {
		*b = settingIgnored
	}
	if at < entryBytes-1 || !isTableSize {
		return nil
	}
	size := min(binary.BigEndian.Uint32(s.entry[2:]), defaultTableSize) // encoders here use at most the default
	if s.settings > 0 && size != s.tableSize {
		return errTableSize
	}
	s.tableSize = size
	return nil
}

// endFrame goes on to the next frame if this one is over.
func (s *scanner) endFrame() {
	if s.state != inPayload || s.left > 0 {
		return
	}
	s.state = inHead
	switch {
	case s.isSettings():
		s.settings++
	case s.blockOpen && s.head[4]&flagEndHeaders != 0 && s.kind() != frameData:
		s.blockOpen = false
	}
}

func (s *scanner) kind() byte { return s.head[3] }

func (s *scanner) payload() int { return int(s.head[0])<<16 | int(s.head[1])<<8 | int(s.head[2]) }

func (s *scanner) isSettings() bool { return s.kind() == frameSettings && s.head[4]&flagAck == 0 }

// waits says what the peer has begun and not finished yet.
func (s *scanner) waits() wait {
	switch {
	case s.state == inPayload && s.kind() == frameData:
		return forData
	case s.state == inPayload, s.state == inHead && (s.seen > 0 || s.blockOpen):
		return forRest
	}
	return forNothing
}

// wait says what a connection waits for.
type wait int

const (
	forNothing wait = iota // the peer may be silent for as long as it likes
	forRest                // of a frame's head, a header block or a small frame
	forData                // of a DATA frame
)
