package h2http

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"example.com/greet/internal/h2"
)

// newCall makes the call that a stream's header asks for, or says by which status it is
// refused.
func (c *conn) newCall(s *h2.Stream, h *h2.Header, end bool) (begun *call, status int) {
	r := http.Request{
		Proto: "HTTP/2.0", ProtoMajor: 2, TLS: c.tls, RemoteAddr: c.remote,
		Header: make(http.Header, len(h.Fields)), Body: http.NoBody,
	}
	if !readFields(&r, h) {
		return nil, http.StatusBadRequest
	}
	begun = &call{conn: c, stream: s}
	begun.gate.waiting.L = &begun.gate.mu
	ctx, cancel := context.WithCancel(c.context)
	begun.cancel = cancel
	b := &begun.body
	b.owner, b.changed.L = begun, &b.mu
	var ok bool
	if b.left, ok = lengthOf(&r, end); !ok {
		cancel()
		return nil, http.StatusBadRequest
	}
	b.ended = end
	if !end {
		r.Body = b
	}
	r.ContentLength = b.left
	b.expected = expects(&r)
	r.Trailer = announced(r.Header)
	begun.request = r.WithContext(ctx)
	return begun, 0
}

// readFields reads the header into the request. It returns false if there is something
// that cannot be meant.
func readFields(r *http.Request, h *h2.Header) bool {
	values := make([]string, 0, len(h.Fields)) // that all fields share
	for _, f := range h.Fields {
		switch f.Name {
		case ":method":
			r.Method = f.Value
		case ":path":
			r.RequestURI = f.Value
		case ":authority":
			r.Host = f.Value
		case ":scheme": // TLS or not is what we know ourselves
		default:
			values = append(values, f.Value)
			addField(r.Header, canonical.get(f.Name), values[len(values)-1:len(values):len(values)])
		}
	}
	if host := r.Header["Host"]; len(host) > 0 {
		if r.Host == "" {
			r.Host = host[0]
		}
		delete(r.Header, "Host")
	}
	if !httpguts.ValidHostHeader(r.Host) || !validMethod(r.Method) {
		return false
	}
	return readTarget(r)
}

func addField(h http.Header, name string, value []string) {
	have, ok := h[name]
	switch {
	case !ok:
		h[name] = value
	case name == "Cookie": // sent in pieces, for the sake of compression (RFC 9113, section 8.2.3)
		h[name] = []string{have[0] + "; " + value[0]}
	default:
		h[name] = append(have, value[0])
	}
}

func validMethod(method string) bool { return httpguts.ValidHeaderFieldName(method) } // both are tokens

// readTarget parses what is asked for.
func readTarget(r *http.Request) bool {
	if r.Method == http.MethodConnect {
		r.RequestURI = r.Host
		r.URL = &url.URL{Host: r.Host}
		return true
	}
	if isPlain(r.RequestURI) {
		r.URL = &url.URL{Path: r.RequestURI}
		return true
	}
	var err error
	r.URL, err = url.ParseRequestURI(r.RequestURI)
	return err == nil
}

// isPlain reports whether a target is a path that means what it says, as nearly all do.
func isPlain(target string) bool {
	if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") {
		return false
	}
	for i := range len(target) {
		switch c := target[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '/', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// lengthOf returns how long the body is said to be, -1 if it is not said.
func lengthOf(r *http.Request, end bool) (length int64, ok bool) {
	said, given := r.Header["Content-Length"]
	if !given {
		if end {
			return 0, true
		}
		return -1, true
	}
	n, err := strconv.ParseUint(said[0], 10, 63)
	if err != nil || len(said) > 1 || end && n > 0 {
		return 0, false
	}
	return int64(n), true
}

// expects reports whether the peer waits to be told to send the body.
func expects(r *http.Request) bool {
	if !httpguts.HeaderValuesContainsToken(r.Header["Expect"], "100-continue") {
		return false
	}
	delete(r.Header, "Expect")
	return true
}

// announced is the trailer that is to come: names without values. Nil if there is none.
func announced(header http.Header) http.Header {
	var trailer http.Header
	for _, list := range header["Trailer"] {
		for name := range strings.SplitSeq(list, ",") {
			name = http.CanonicalHeaderKey(strings.TrimSpace(name))
			if !httpguts.ValidTrailerHeader(name) {
				continue
			}
			if trailer == nil {
				trailer = make(http.Header)
			}
			trailer[name] = nil
		}
	}
	delete(header, "Trailer")
	return trailer
}

// trailerOf is the trailer that has come.
func trailerOf(h *h2.Header) http.Header {
	trailer := make(http.Header, len(h.Fields))
	for _, f := range h.Fields {
		trailer[canonical.get(f.Name)] = append(trailer[canonical.get(f.Name)], f.Value)
	}
	return trailer
}
