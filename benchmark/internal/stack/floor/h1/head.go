package h1

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Head is what a response says before its body.
type Head struct {
	Status int
	Type   string // content-type
	Coding string // content-encoding
	Close  bool   // the server ends the connection after this response

	length  int64 // of the body; unknown says that it lasts as long as the connection
	chunked bool
}

const (
	unknown = -1
	crlf    = "\r\n"
)

// ErrMalformed is in the chain of every error that says that a response breaks the
// rules, rather than that it did not come.
var ErrMalformed = errors.New("malformed response")

func malformed(what string) error { return fmt.Errorf("%w: %s", ErrMalformed, what) }

var (
	errStatusLine = malformed("status line")
	errVersion    = malformed("not HTTP/1.1")
	errField      = malformed("field line")
	errLength     = malformed("content-length, or more than one")
	errTransfer   = malformed("transfer-encoding that is not chunked, or a content-length too")
	errSwitch     = malformed("switch to another protocol, unasked")
)

// parseHead parses all lines of a head, the empty line excluded.
func parseHead(text string) (Head, error) {
	line, text, _ := strings.Cut(text, crlf)
	h := Head{length: unknown}
	var err error
	if h.Status, err = parseStatus(line); err != nil {
		return h, err
	}
	for text != "" {
		line, text, _ = strings.Cut(text, crlf)
		name, value, err := parseField(line)
		if err != nil {
			return h, err
		}
		if err := h.take(strings.ToLower(name), value); err != nil {
			return h, err
		}
	}
	if h.Status == 204 || h.Status == 304 { // RFC 9112, section 6.3: never a body
		h.length, h.chunked = 0, false
	}
	return h, nil
}

func parseStatus(line string) (int, error) {
	rest, ok := strings.CutPrefix(line, "HTTP/1.1 ")
	if !ok {
		if strings.HasPrefix(line, "HTTP/") {
			return 0, errVersion
		}
		return 0, errStatusLine
	}
	digits, reason, _ := strings.Cut(rest, " ")
	status, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || len(digits) != 3 || status < 100 || !validValue(reason) {
		return 0, errStatusLine
	}
	return int(status), nil
}

// parseField splits a field line (RFC 9112, section 5). Lines that are folded, or
// have a space before the colon, are refused as the section asks.
func parseField(line string) (name, value string, err error) {
	name, value, ok := strings.Cut(line, ":")
	value = strings.Trim(value, " \t")
	if !ok || name == "" || strings.ContainsFunc(name, notToken) || !validValue(value) {
		return "", "", errField
	}
	return name, value, nil
}

// notToken says which characters a name must not have (RFC 9110, section 5.6.2).
func notToken(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
}

func validValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// take notes a field that the reader or its user needs.
func (h *Head) take(name, value string) error {
	switch name {
	case "content-type":
		h.Type = value
	case "content-encoding":
		h.Coding = value
	case "connection":
		for option := range strings.SplitSeq(value, ",") {
			h.Close = h.Close || strings.EqualFold(strings.Trim(option, " \t"), "close")
		}
	case "content-length":
		length, err := strconv.ParseUint(value, 10, 63)
		if h.length != unknown || err != nil {
			return errLength
		}
		if h.length = int64(length); h.chunked {
			return errTransfer
		}
	case "transfer-encoding":
		if h.chunked || h.length != unknown || !strings.EqualFold(value, "chunked") {
			return errTransfer
		}
		h.chunked = true
	}
	return nil
}

// memo is a head that has been parsed. Most servers say the same again and again,
// but for a date that changes once a second.
type memo struct {
	raw  []byte // the empty line included
	head Head
}

// of reports whether a response begins with the head that is remembered.
func (m *memo) of(p []byte) bool { return len(m.raw) > 0 && bytes.HasPrefix(p, m.raw) }
