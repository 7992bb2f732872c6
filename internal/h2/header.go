package h2

import (
	"errors"
	"strings"
)

// Header is a decoded header or trailer. It holds until the callback that was
// given it returns.
type Header struct {
	Fields []Field
	// Parsed is for the handler: what it makes of the fields it may leave here,
	// and finds it again when the same block comes once more. It is nil at first.
	Parsed any

	trailer bool // no pseudo-header fields
	interim bool // a response of status 1xx
	fault   error
}

// role says which of the rules of section 8.3 a header is checked by.
type role uint8

const (
	requestRole role = iota
	responseRole
)

func (h *Header) reset() {
	clear(h.Fields)
	*h = Header{Fields: h.Fields[:0]}
}

// Get returns the first value of a field, or "".
func (h *Header) Get(name string) string {
	for _, f := range h.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

var (
	errPseudoOrder   = errors.New("pseudo-header field after a regular one")
	errPseudoUnknown = errors.New("unknown pseudo-header field")
	errPseudoTwice   = errors.New("pseudo-header field given twice")
	errPseudoMissing = errors.New("pseudo-header field missing")
	errName          = errors.New("field name is empty or has a character that it must not have")
	errValue         = errors.New("field value has a character that it must not have")
	errConnection    = errors.New("field speaks of the connection, which HTTP/2 does by frames")
)

// pseudo-header fields, as bits of a set.
const (
	method = 1 << iota
	scheme
	path
	authority
	status
)

func pseudoBit(name string, role role) int {
	if role == responseRole {
		if name == ":status" {
			return status
		}
		return 0
	}
	switch name {
	case ":method":
		return method
	case ":scheme":
		return scheme
	case ":path":
		return path
	case ":authority":
		return authority
	}
	return 0
}

// validate notes what is malformed (section 8.1.1), if anything. A malformed
// header costs its stream, not the connection.
func (h *Header) validate(role role) {
	seen := 0
	regular := false
	for _, f := range h.Fields {
		if !strings.HasPrefix(f.Name, ":") {
			regular = true
			h.fault = errors.Join(h.fault, checkField(f))
			continue
		}
		bit := pseudoBit(f.Name, role)
		switch {
		case regular:
			h.fault = errPseudoOrder
		case bit == 0:
			h.fault = errPseudoUnknown
		case seen&bit != 0:
			h.fault = errPseudoTwice
		case !validValue(f.Value) || bit == path && f.Value == "":
			h.fault = errValue
		}
		seen |= bit
		h.interim = h.interim || bit == status && strings.HasPrefix(f.Value, "1")
	}
	h.trailer = seen == 0
	if h.fault == nil && !h.trailer {
		h.fault = checkPseudo(seen, role, h)
	}
}

// checkPseudo says whether all are there that must be (sections 8.3.1, 8.3.2, and
// 8.5 for CONNECT).
func checkPseudo(seen int, role role, h *Header) error {
	switch {
	case role == responseRole:
		return nil // there is one, and it is the status
	case seen&method != 0 && h.Get(":method") == "CONNECT":
		if seen != method|authority {
			return errPseudoMissing
		}
	case seen&(method|scheme|path) != method|scheme|path:
		return errPseudoMissing
	}
	return nil
}

func checkField(f Field) error {
	if !validName(f.Name) {
		return errName
	}
	if !validValue(f.Value) {
		return errValue
	}
	switch f.Name {
	case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade":
		return errConnection
	case "te":
		if f.Value != "trailers" {
			return errConnection
		}
	}
	return nil
}

// validName allows what section 8.2.1 does: no upper case, no control characters
// or spaces, no colon.
func validName(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		b := name[i]
		if b <= ' ' || b >= 'A' && b <= 'Z' || b == ':' || b >= 0x7f {
			return false
		}
	}
	return true
}

// validValue refuses what could end a line or a string elsewhere.
func validValue(value string) bool { return !strings.ContainsAny(value, "\x00\r\n") }
