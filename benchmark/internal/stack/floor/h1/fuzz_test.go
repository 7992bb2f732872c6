package h1

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"testing"
)

// FuzzNext reads any input in pieces of one size and of another, which must give
// the same. What is accepted, net/http must take for the same: it is the more
// lenient of the two.
func FuzzNext(f *testing.F) {
	f.Add([]byte(ok+"Content-Type: a/b\r\nContent-Length: 5\r\n\r\nhello"+ok+"\r\nhello"), uint8(3))
	f.Add([]byte(ok+"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nx: y\r\n\r\n"), uint8(1))
	f.Add([]byte("HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), uint8(9))
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		const limit = 1000
		whole := NewReader(bytes.NewReader(input).Read, limit)
		pieces := NewReader((&pieces{input, int(size) + 1}).read, limit)
		other := bufio.NewReader(bytes.NewReader(input))
		for {
			head, body, err := whole.Next()
			head2, body2, err2 := pieces.Next()
			if (err == nil) != (err2 == nil) || err == nil && (*head != *head2 || !bytes.Equal(body, body2)) {
				t.Fatalf("whole: %+v, %q, %v; in pieces: %+v, %q, %v", head, body, err, head2, body2, err2)
			}
			if err != nil {
				return
			}
			if len(body) > limit {
				t.Fatalf("a body of %d bytes, above the limit", len(body))
			}
			status, content, err := byNetHTTP(other)
			if err != nil || status != head.Status || !bytes.Equal(content, body) {
				t.Fatalf("got %+v, %q; net/http got %d, %q, %v", head, body, status, content, err)
			}
		}
	})
}

func byNetHTTP(r *bufio.Reader) (int, []byte, error) {
	for {
		res, err := http.ReadResponse(r, &http.Request{Method: http.MethodPost})
		if err != nil {
			return 0, nil, err
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode >= 200 || err != nil {
			return res.StatusCode, body, err
		}
	}
}

// pieces is input that comes some bytes at a time.
type pieces struct {
	left []byte
	size int
}

func (p *pieces) read(to []byte) (int, error) {
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(to, p.left[:min(p.size, len(p.left))])
	p.left = p.left[n:]
	return n, nil
}
