package wire

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// h1Conn is one HTTP/1.1 connection: one exchange after another.
type h1Conn struct {
	exchange *exchange
	left     [2]int // bytes of a body still to come, or -1: until the connection ends
}

// head decodes a request or status line with its headers.
func (c *h1Conn) head(h *half, at time.Time, data []byte) int {
	end := bytes.Index(data, []byte("\r\n\r\n"))
	if end < 0 {
		return 0
	}
	size := end + 4
	first, rest, _ := strings.Cut(string(data[:end]), "\r\n")
	fields, header := headFields(rest)
	if h.from == Client || c.exchange == nil {
		c.exchange = new(exchange)
	}
	x := c.exchange
	words := strings.SplitN(first, " ", 3)
	if h.from == Client && len(words) == 3 {
		x.open(words[1])
	} else if len(words) > 1 {
		x.status = words[1]
	}
	l := Line{Size: size, Kind: "head", What: shorten(first)}
	length, chunked := header["content-length"], header["transfer-encoding"] == "chunked"
	ended := !chunked && (length == "0" || length == "" && h.from == Client)
	l.Meaning, l.Parts = x.headers(h.from, fields, ended)
	if ended {
		l.Parts = append(l.Parts, x.end(h.from)...)
	}
	h.line(at, l)
	h.next = c.afterHead(h.from, length, chunked, ended)
	return size
}

func headFields(text string) (fields []field, byName map[string]string) {
	byName = map[string]string{}
	for line := range strings.SplitSeq(text, "\r\n") {
		if name, value, ok := strings.Cut(line, ":"); ok {
			name, value = strings.ToLower(name), strings.TrimSpace(value)
			fields = append(fields, field{name, value})
			byName[name] = value
		}
	}
	return fields, byName
}

// afterHead chooses what decodes the body.
func (c *h1Conn) afterHead(from Side, length string, chunked, ended bool) func(*half, time.Time, []byte) int {
	switch n, err := strconv.Atoi(length); {
	case chunked:
		return c.chunk
	case ended:
		return c.head
	case err == nil:
		c.left[from] = n
	default:
		c.left[from] = -1
	}
	return c.plain
}

// plain decodes part of a body whose length was announced.
func (c *h1Conn) plain(h *half, at time.Time, data []byte) int {
	n := len(data)
	left := &c.left[h.from]
	if *left >= 0 {
		n = min(n, *left)
		*left -= n
	}
	l := Line{Size: n, Kind: "body", What: "body"}
	l.Parts, l.Message = c.exchange.data(h.from, data[:n])
	if *left == 0 {
		l.Meaning = "its length was announced: this is all of it"
		l.Parts = append(l.Parts, c.exchange.end(h.from)...)
		h.next = c.head
	}
	h.line(at, l)
	return n
}

// chunk decodes one chunk, or the last one with its trailers.
func (c *h1Conn) chunk(h *half, at time.Time, data []byte) int {
	line := bytes.Index(data, []byte("\r\n"))
	if line < 0 {
		return 0
	}
	digits, _, _ := strings.Cut(string(data[:line]), ";")
	length, err := strconv.ParseUint(digits, 16, 31)
	if err != nil {
		h.line(at, Line{Size: len(data), Kind: "cut", What: "not a chunk", Meaning: err.Error()})
		return len(data)
	}
	if length == 0 {
		return c.lastChunk(h, at, data, line+2)
	}
	size := line + 2 + int(length) + 2
	if len(data) < size {
		return 0
	}
	l := Line{Size: size, Kind: "chunk", What: fmt.Sprintf("chunk of %d", length)}
	l.Parts, l.Message = c.exchange.data(h.from, data[line+2:size-2])
	h.line(at, l)
	return size
}

func (c *h1Conn) lastChunk(h *half, at time.Time, data []byte, from int) int {
	size := from + 2
	l := Line{Kind: "chunk", What: "chunk of 0", Meaning: "the request is over: the client has no more to say"}
	if h.from == Server {
		l.Meaning = "the response is over"
	}
	if len(data) < size {
		return 0
	}
	if string(data[from:size]) != "\r\n" {
		end := bytes.Index(data[from:], []byte("\r\n\r\n"))
		if end < 0 {
			return 0
		}
		size = from + end + 4
		fields, _ := headFields(string(data[from : from+end]))
		l.What += " and trailers"
		l.Meaning, l.Parts = c.exchange.headers(h.from, fields, true)
	}
	l.Size = size
	l.Parts = append(l.Parts, c.exchange.end(h.from)...)
	h.line(at, l)
	h.next = c.head
	return size
}
