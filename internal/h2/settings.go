package h2

import "encoding/binary"

// Identifiers of settings (RFC 9113, section 6.5.2).
const (
	settingHeaderTableSize   = 0x1
	settingEnablePush        = 0x2
	settingMaxStreams        = 0x3
	settingInitialWindow     = 0x4
	settingMaxFrame          = 0x5
	settingMaxHeaderListSize = 0x6
)

// settings are what one end tells the other about itself. Each binds whoever
// receives it.
type settings struct {
	tableSize  uint32 // of the HPACK table that decodes what the receiver sends
	push       uint32 // 1 if the receiver may push
	maxStreams uint32 // that the receiver may have open
	window     uint32 // that each stream starts with
	maxFrame   uint32
	headerList uint32 // the longest header, counted as section 6.5.2 says
}

// defaultSettings hold until an end has said otherwise.
var defaultSettings = settings{
	tableSize:  4096,
	push:       1,
	maxStreams: 1<<32 - 1,
	window:     65535,
	maxFrame:   maxFrame,
	headerList: 1<<32 - 1,
}

const settingLen = 6

// appendSettings appends a SETTINGS frame with what differs from the defaults,
// and push, which only a client may speak of.
func appendSettings(b []byte, s settings, client bool) []byte {
	start := len(b)
	b = appendHead(b, 0, frameSettings, 0, 0)
	add := func(id uint16, value uint32) {
		b = binary.BigEndian.AppendUint16(b, id)
		b = binary.BigEndian.AppendUint32(b, value)
	}
	if client {
		add(settingEnablePush, s.push)
	} else {
		add(settingMaxStreams, s.maxStreams)
	}
	add(settingInitialWindow, s.window)
	add(settingMaxHeaderListSize, s.headerList)
	b[start+2] = byte(len(b) - start - headLen)
	return b
}

// settings takes a SETTINGS frame (section 6.5).
func (c *Conn) settings(h head, p []byte) error {
	switch {
	case h.stream != 0:
		return connError(ProtocolError, "SETTINGS on a stream")
	case h.has(flagAck) && len(p) != 0:
		return connError(FrameSizeError, "SETTINGS acknowledgement with a payload")
	case h.has(flagAck):
		return nil
	case len(p)%settingLen != 0:
		return connError(FrameSizeError, "SETTINGS with a broken entry")
	}
	for ; len(p) > 0; p = p[settingLen:] {
		if err := c.setting(binary.BigEndian.Uint16(p), binary.BigEndian.Uint32(p[2:])); err != nil {
			return err
		}
	}
	c.out = appendHead(c.out, 0, frameSettings, flagAck, 0)
	c.greeted = true
	c.changed = true
	return c.nuisance(1)
}

// setting applies one setting of the peer.
func (c *Conn) setting(id uint16, value uint32) error {
	switch id {
	case settingHeaderTableSize:
		c.peer.tableSize = value
		c.encoder.resize(value)
	case settingEnablePush:
		if value > 1 || c.client && value != 0 {
			return connError(ProtocolError, "bad value of ENABLE_PUSH")
		}
	case settingMaxStreams:
		c.peer.maxStreams = value
	case settingInitialWindow:
		return c.resizeWindows(value)
	case settingMaxFrame:
		if value < maxFrame || value > 1<<24-1 {
			return connError(ProtocolError, "bad value of MAX_FRAME_SIZE")
		}
		c.peer.maxFrame = value
	case settingMaxHeaderListSize:
		c.peer.headerList = value // advisory: see HeaderLimit
	}
	return nil // unknown settings are ignored (section 6.5.2)
}
