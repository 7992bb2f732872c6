package h2http

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"example.com/greet/internal/h2"
)

// userAgent is what a request says that does not say itself. It is net/http's.
const userAgent = "Go-http-client/2.0"

// requestFields is the header of the request.
func requestFields(req *http.Request) ([]h2.Field, error) {
	host, err := hostOf(req)
	if err != nil {
		return nil, err
	}
	method := req.Method
	if method == "" {
		method = http.MethodGet
	}
	fields := append(make([]h2.Field, 0, len(req.Header)+8),
		h2.Field{Name: ":method", Value: method}, h2.Field{Name: ":authority", Value: host})
	if method != http.MethodConnect {
		fields = append(fields, h2.Field{Name: ":scheme", Value: req.URL.Scheme}, h2.Field{Name: ":path", Value: req.URL.RequestURI()})
	}
	pseudo := len(fields)
	for name, values := range req.Header {
		fields = appendRequestField(fields, name, values)
	}
	if _, said := req.Header["User-Agent"]; !said {
		fields = append(fields, h2.Field{Name: "user-agent", Value: userAgent})
	}
	if length := lengthToSay(req, method); length >= 0 {
		fields = append(fields, h2.Field{Name: "content-length", Value: strconv.FormatInt(length, 10)})
	}
	for name := range req.Trailer {
		fields = append(fields, h2.Field{Name: "trailer", Value: lower.get(name)})
	}
	// In an order that is the same each time, the peer finds more of it in its table.
	slices.SortStableFunc(fields[pseudo:], func(a, b h2.Field) int { return strings.Compare(a.Name, b.Name) })
	return fields, nil
}

func hostOf(req *http.Request) (string, error) {
	host := req.Host
	if host == "" {
		host = req.URL.Host
	}
	host, err := httpguts.PunycodeHostPort(host)
	if err != nil || !httpguts.ValidHostHeader(host) {
		return "", fmt.Errorf("invalid host %q", req.Host)
	}
	return host, nil
}

// appendRequestField adds a field, unless it is one that HTTP/2 has no use for or that
// is said otherwise.
func appendRequestField(fields []h2.Field, name string, values []string) []h2.Field {
	switch lower.get(name) {
	case "host", "content-length", "trailer", "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade":
		return fields
	case "te":
		if !slices.Equal(values, []string{"trailers"}) {
			return fields
		}
	case "user-agent": // at most one, and none if it is empty
		if len(values) == 0 || values[0] == "" {
			return fields
		}
		values = values[:1]
	}
	return appendField(fields, name, values)
}

// lengthToSay is the length of the request's body, -1 if there is none to speak of or it
// is not known.
func lengthToSay(req *http.Request, method string) int64 {
	switch {
	case hasBody(req) && req.ContentLength > 0:
		return req.ContentLength
	case !hasBody(req) && (method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch):
		return 0
	}
	return -1
}

var errStatus = errors.New("the response has no status, or one that is no number")

// respond makes the response of its header.
func (c *clientCall) respond(h *h2.Header, end bool) error {
	r := &http.Response{
		Proto: "HTTP/2.0", ProtoMajor: 2, Request: c.request, TLS: c.conn.tls,
		Header: make(http.Header, len(h.Fields)), Body: http.NoBody, ContentLength: -1,
	}
	values := make([]string, 0, len(h.Fields)) // that all fields share
	for _, f := range h.Fields {
		if f.Name == ":status" {
			status, err := strconv.ParseUint(f.Value, 10, 16)
			if err != nil || len(f.Value) != 3 {
				return errStatus
			}
			r.StatusCode, r.Status = int(status), f.Value+" "+http.StatusText(int(status))
			continue
		}
		values = append(values, f.Value)
		addField(r.Header, canonical.get(f.Name), values[len(values)-1:len(values):len(values)])
	}
	if r.StatusCode == 0 {
		return errStatus
	}
	r.Trailer = announced(r.Header)
	r.ContentLength = responseLength(r.Header, end)
	c.body.left, c.body.ended = -1, end
	if c.request.Method == http.MethodHead || end {
		c.body.closed = true
	} else {
		c.body.left = r.ContentLength
		r.Body = c
	}
	c.response = r
	return nil
}

// responseLength is how long the body is said to be, -1 if it is not said.
func responseLength(header http.Header, end bool) int64 {
	if said := header["Content-Length"]; len(said) == 1 {
		if n, err := strconv.ParseUint(said[0], 10, 63); err == nil {
			return int64(n)
		}
	} else if len(said) == 0 && end {
		return 0
	}
	return -1
}
