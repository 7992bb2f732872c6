package h2

import "encoding/binary"

// dispatch serves one frame. An error ends the connection; faults of a stream are
// dealt with where they are found.
func (c *Conn) dispatch(h head, p []byte) error {
	switch {
	case c.fragment.stream != 0 && (h.kind != frameContinuation || h.stream != c.fragment.stream):
		return connError(ProtocolError, "header block interrupted by another frame")
	case !c.greeted && h.kind != frameSettings:
		return connError(ProtocolError, "first frame is not SETTINGS")
	}
	switch h.kind {
	case frameData:
		return c.data(h, p)
	case frameHeaders:
		return c.headers(h, p)
	case frameContinuation:
		return c.continuation(h, p)
	case frameWindow:
		return c.windowUpdate(h, p)
	case frameReset:
		return c.reset(h, p)
	case frameSettings:
		return c.settings(h, p)
	case framePing:
		return c.ping(h, p)
	case frameGoAway:
		return c.goAway(h, p)
	case framePush:
		return connError(ProtocolError, "PUSH_PROMISE, which SETTINGS forbid or a client sent")
	case framePriority:
		return c.priority(h, p)
	}
	return c.nuisance(1) // unknown types are ignored (RFC 9113, section 5.5)
}

// data takes a DATA frame (section 6.1).
func (c *Conn) data(h head, p []byte) error {
	if h.stream == 0 {
		return connError(ProtocolError, "DATA without a stream")
	}
	body, err := unpad(h, p)
	if err != nil {
		return err
	}
	if err := c.receivedData(len(p)); err != nil {
		return err
	}
	s, err := c.lookup(h)
	if s == nil {
		c.release(int64(len(p)))
		return err
	}
	s.hold(len(p))
	switch {
	case s.remoteEnded:
		return c.streamError(s, StreamClosed)
	case !s.headed:
		return c.streamError(s, ProtocolError)
	case s.recvWindow < 0:
		return c.streamError(s, FlowControlError)
	}
	end := h.has(flagEndStream)
	if end {
		s.endRemote()
	}
	s.Consumed(len(p) - len(body))
	c.handler.Data(s, body, end)
	if len(body) == 0 && !end {
		return c.nuisance(1)
	}
	c.served()
	return nil
}

// reset takes a RST_STREAM frame (section 6.4).
func (c *Conn) reset(h head, p []byte) error {
	if len(p) != 4 {
		return connError(FrameSizeError, "RST_STREAM whose length is not 4")
	}
	if h.stream == 0 {
		return connError(ProtocolError, "RST_STREAM without a stream")
	}
	s, err := c.lookup(h)
	if s == nil {
		return err
	}
	end := End{Peer, ErrCode(binary.BigEndian.Uint32(p))}
	if end.Code == RefusedStream {
		end.By = Refused
	}
	s.close(end)
	if s.born == c.batch && !c.client {
		return c.nuisance(rapidReset)
	}
	return nil
}

// ping takes a PING frame (section 6.7).
func (c *Conn) ping(h head, p []byte) error {
	switch {
	case h.stream != 0:
		return connError(ProtocolError, "PING on a stream")
	case len(p) != 8:
		return connError(FrameSizeError, "PING whose length is not 8")
	case h.has(flagAck):
		if [8]byte(p) == drainPing {
			c.lastGoAway()
		}
		return nil
	}
	c.out = appendPing(c.out, flagAck, [8]byte(p))
	return c.nuisance(1)
}

// priority checks a PRIORITY frame (section 6.3) and does nothing about it.
func (c *Conn) priority(h head, p []byte) error {
	if h.stream == 0 {
		return connError(ProtocolError, "PRIORITY without a stream")
	}
	if len(p) != 5 {
		if s := c.streams.get(h.stream); s != nil {
			return c.streamError(s, FrameSizeError)
		}
		c.out = appendWord(c.out, frameReset, h.stream, uint32(FrameSizeError))
	}
	return c.nuisance(1)
}

// lookup finds the stream that a frame is for. There is none, and no error, if
// the frame is one that a peer may still send although the stream has ended.
func (c *Conn) lookup(h head) (*Stream, error) {
	if s := c.streams.get(h.stream); s != nil {
		return s, nil
	}
	if c.isIdle(h.stream) {
		return nil, connError(ProtocolError, "frame on a stream that nobody has opened")
	}
	if h.kind != frameData || c.wasReset(h.stream) {
		return nil, nil
	}
	c.out = appendWord(c.out, frameReset, h.stream, uint32(StreamClosed))
	return nil, c.nuisance(1)
}

// isIdle reports whether the stream has not been opened yet (section 5.1.1).
// Clients open the odd ones; nobody opens the even ones, since nothing is pushed.
func (c *Conn) isIdle(id uint32) bool { return id%2 == 0 || id > c.lastID }

// remember notes a stream that has ended. The table keeps the last of every 256
// ids: enough to tell what may still be on its way.
func (c *Conn) remember(id uint32, reset bool) {
	entry := id &^ 1 // ids are odd: the lowest bit is free
	if reset {
		entry |= 1
	}
	c.recent[id/2%uint32(len(c.recent))] = entry
}

// wasReset reports whether this end has reset the stream, so that the peer may
// have sent frames before it knew.
func (c *Conn) wasReset(id uint32) bool { return c.recent[id/2%uint32(len(c.recent))] == id }

// wasOpen reports whether the stream is known to have been open.
func (c *Conn) wasOpen(id uint32) bool { return c.recent[id/2%uint32(len(c.recent))]|1 == id }
