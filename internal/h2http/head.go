package h2http

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"

	"example.com/greet/internal/h2"
)

// head is the header of a response, as it was when the handler said so.
type head struct {
	status   int // 0 before that
	fields   []h2.Field
	length   int64    // of the body, -1 if it is not said
	trailers []string // names that the handler has announced

	hasType, hasEncoding, hasDate bool
	leave                         bool // the connection is to end
}

// newHead takes the fields of h, in an order that is the same each time.
func newHead(status int, h http.Header) head {
	d := head{status: status, length: -1, fields: make([]h2.Field, 1, len(h)+4)}
	d.fields[0] = h2.Field{Name: ":status", Value: strconv.Itoa(status)}
	for name, values := range h {
		d.add(name, values)
	}
	slices.SortStableFunc(d.fields[1:], func(a, b h2.Field) int { return strings.Compare(a.Name, b.Name) })
	return d
}

// add takes a field, unless it is one that HTTP/2 has no use for, or no field.
func (d *head) add(name string, values []string) {
	switch name {
	case "Connection":
		d.leave = d.leave || httpguts.HeaderValuesContainsToken(values, "close")
		return
	case "Proxy-Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade":
		return
	case "Date":
		d.hasDate = true
	case "Content-Type":
		d.hasType = true
	case "Content-Encoding":
		d.hasEncoding = len(values) > 0 && values[0] != ""
	case "Trailer":
		d.announce(values)
	case "Content-Length":
		length, err := strconv.ParseUint(strings.Join(values, ","), 10, 63)
		if err != nil || !d.bodyAllowed() {
			return
		}
		d.length = int64(length)
	}
	if strings.HasPrefix(name, http.TrailerPrefix) || !httpguts.ValidHeaderFieldName(name) {
		return
	}
	d.fields = appendField(d.fields, name, values)
}

func appendField(fields []h2.Field, name string, values []string) []h2.Field {
	name = lower.get(name)
	for _, value := range values {
		if httpguts.ValidHeaderFieldValue(value) {
			fields = append(fields, h2.Field{Name: name, Value: value})
		}
	}
	return fields
}

// announce notes the names of trailers.
func (d *head) announce(lists []string) {
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			if name = http.CanonicalHeaderKey(strings.TrimSpace(name)); httpguts.ValidTrailerHeader(name) {
				d.trailers = append(d.trailers, name)
			}
		}
	}
}

// bodyAllowed reports whether a response of this status has a body (RFC 9110, sections
// 15.2, 15.3.5 and 15.4.5).
func (d *head) bodyAllowed() bool {
	return d.status >= 200 && d.status != http.StatusNoContent && d.status != http.StatusNotModified
}

func (d *head) setLength(n int64) {
	d.length = n
	d.fields = append(d.fields, h2.Field{Name: "content-length", Value: strconv.FormatInt(n, 10)})
}

// complete adds what a handler need not say. Body is how the body begins.
func (d *head) complete(body []byte) []h2.Field {
	if !d.hasType && !d.hasEncoding && len(body) > 0 {
		d.fields = append(d.fields, h2.Field{Name: "content-type", Value: http.DetectContentType(body)})
	}
	if !d.hasDate {
		d.fields = append(d.fields, h2.Field{Name: "date", Value: date()})
	}
	return d.fields
}

// trailer is what h has for the trailer, once the handler has returned: announced
// fields, and those of http.TrailerPrefix. Nil if there is nothing.
func (d *head) trailer(h http.Header) (fields []h2.Field) {
	for _, name := range d.trailers {
		fields = appendField(fields, name, h[name])
	}
	for name, values := range h {
		if name, ok := strings.CutPrefix(name, http.TrailerPrefix); ok {
			name = http.CanonicalHeaderKey(name)
			if httpguts.ValidTrailerHeader(name) && httpguts.ValidHeaderFieldName(name) && !slices.Contains(d.trailers, name) {
				fields = appendField(fields, name, values)
			}
		}
	}
	return fields
}

// refuse answers a request that no handler sees.
func refuse(s *h2.Stream, status int) {
	d := newHead(status, nil)
	d.setLength(0)
	s.Headers(emptyBlock, d.complete(nil), true)
	s.Finish()
}

// stamp is the date, in words.
type stamp struct {
	second int64
	text   string
}

var stamped atomic.Pointer[stamp]

// date is the time as a header has it. It is made once in a second.
func date() string {
	now := time.Now()
	if s := stamped.Load(); s != nil && s.second == now.Unix() {
		return s.text
	}
	s := &stamp{now.Unix(), now.UTC().Format(http.TimeFormat)}
	stamped.Store(s)
	return s.text
}
