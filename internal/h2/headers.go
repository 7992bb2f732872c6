package h2

// fragment is a header block of which the last part has not come yet.
type fragment struct {
	stream uint32 // 0 if there is none
	end    bool
	block  []byte
	frames int
}

// maxFragments bounds the frames of one header block. A block has a bound in
// bytes; empty CONTINUATION frames would get around it (CVE-2023-45288).
const maxFragments = 64

// headers takes a HEADERS frame (RFC 9113, section 6.2).
func (c *Conn) headers(h head, p []byte) error {
	if h.stream == 0 {
		return connError(ProtocolError, "HEADERS without a stream")
	}
	p, err := unpad(h, p)
	if err != nil {
		return err
	}
	if h.has(flagPriority) {
		if len(p) < 5 {
			return connError(FrameSizeError, "HEADERS too short for its priority")
		}
		p = p[5:]
	}
	if h.has(flagEndHeaders) {
		return c.block(h.stream, p, h.has(flagEndStream))
	}
	c.fragment.stream, c.fragment.end = h.stream, h.has(flagEndStream)
	c.fragment.block = append(c.fragment.block[:0], p...)
	c.fragment.frames = 1
	return nil
}

// continuation takes a CONTINUATION frame (section 6.10).
func (c *Conn) continuation(h head, p []byte) error {
	f := &c.fragment
	if f.stream == 0 {
		return connError(ProtocolError, "CONTINUATION of nothing")
	}
	f.frames++
	if len(f.block)+len(p) > maxHeaderList || f.frames > maxFragments {
		return connError(EnhanceYourCalm, "header block too long")
	}
	f.block = append(f.block, p...)
	if !h.has(flagEndHeaders) {
		return nil
	}
	f.stream = 0
	err := c.block(h.stream, f.block, f.end)
	if cap(f.block) > largestKept {
		f.block = nil
	}
	return err
}

// block takes a whole header block. It is decoded whatever becomes of it: the
// dynamic table must follow the peer's.
func (c *Conn) block(id uint32, p []byte, end bool) error {
	header, err := c.decoder.decode(p)
	if err != nil {
		return err
	}
	s := c.streams.get(id)
	switch {
	case s != nil && c.client && !s.headed:
		return c.response(s, header, end)
	case s != nil:
		return c.trailer(s, header, end)
	case c.client || id%2 == 0 || id <= c.lastID:
		return c.strayHeader(id)
	}
	return c.request(id, header, end)
}

// request opens a stream for a request, unless it is refused.
func (c *Conn) request(id uint32, h *Header, end bool) error {
	var code ErrCode
	switch {
	case c.departing.sent == finalGoAway: // the peer will learn that, and open it elsewhere
		c.lastID = id
		c.remember(id, true)
		return nil
	case h.fault != nil || h.trailer:
		code = ProtocolError
	case uint64(c.streams.n) >= uint64(c.local.maxStreams):
		code = RefusedStream
	default:
		s := c.open(id)
		s.headed = true
		s.remoteEnded = end
		c.handler.Headers(s, h, end)
		return nil
	}
	c.lastID = id
	c.out = appendWord(c.out, frameReset, id, uint32(code))
	c.remember(id, true)
	return c.nuisance(rapidReset)
}

// response brings the header of a response. Those of status 1xx go before it and
// mean nothing here (section 8.1).
func (c *Conn) response(s *Stream, h *Header, end bool) error {
	if h.fault != nil || h.trailer || h.interim && end {
		return c.streamError(s, ProtocolError)
	}
	if h.interim {
		return c.nuisance(1)
	}
	s.headed = true
	if end {
		s.endRemote()
	}
	c.handler.Headers(s, h, end)
	return nil
}

// trailer brings a header after the first, which must be the last frame of the
// peer's half, and may hold no pseudo-header fields.
func (c *Conn) trailer(s *Stream, h *Header, end bool) error {
	switch {
	case s.remoteEnded:
		return c.streamError(s, StreamClosed)
	case !end || h.fault != nil || !h.trailer:
		return c.streamError(s, ProtocolError)
	}
	s.endRemote()
	c.handler.Headers(s, h, true)
	return nil
}

// strayHeader takes a header on a stream that is not open (section 5.1).
func (c *Conn) strayHeader(id uint32) error {
	switch {
	case c.isIdle(id):
		return connError(ProtocolError, "HEADERS on a stream that the peer may not open")
	case c.wasReset(id):
		return nil
	case c.wasOpen(id):
		return connError(StreamClosed, "HEADERS on a stream that has ended")
	}
	return connError(ProtocolError, "HEADERS whose stream id is lower than one before")
}
