package h1

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const ok = "HTTP/1.1 200 OK\r\n"

func readerOf(input string) *Reader { return NewReader(strings.NewReader(input).Read, 1<<20) }

func slowReaderOf(input string) *Reader {
	return NewReader(iotest.OneByteReader(strings.NewReader(input)).Read, 1<<20)
}

// TestNext reads each response whole and byte by byte.
func TestNext(t *testing.T) {
	large := strings.Repeat("x", 200_000)
	for _, test := range []struct {
		what, input string
		want        Head
		body        string
	}{
		{"by length", ok + "Content-Type: a/b\r\nContent-Length: 5\r\n\r\nhello", Head{Status: 200, Type: "a/b", length: 5}, "hello"},
		{"no reason", "HTTP/1.1 404 \r\ncontent-length:0\r\n\r\n", Head{Status: 404}, ""},
		{"not even a space", "HTTP/1.1 404\r\ncontent-length:0\r\n\r\n", Head{Status: 404}, ""},
		{"large", ok + "content-length: 200000\r\n\r\n" + large, Head{Status: 200, length: 200_000}, large},
		{"in chunks", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nx: y\r\n\r\n", Head{Status: 200, chunked: true, length: unknown}, "hello!"},
		{"a large chunk", ok + "Transfer-Encoding: Chunked\r\n\r\n30d40\r\n" + large + "\r\n0\r\n\r\n", Head{Status: 200, chunked: true, length: unknown}, large},
		{"to the end", ok + "content-encoding: gzip\r\n\r\nhello", Head{Status: 200, Coding: "gzip", Close: true, length: unknown}, "hello"},
		{"close", ok + "Connection: x, Close\r\ncontent-length: 1\r\n\r\na", Head{Status: 200, Close: true, length: 1}, "a"},
		{"after interim", "HTTP/1.1 103 Early\r\nlink: x\r\n\r\n" + ok + "content-length: 1\r\n\r\na", Head{Status: 200, length: 1}, "a"},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\n", Head{Status: 204}, ""},
	} {
		for _, r := range []*Reader{readerOf(test.input), slowReaderOf(test.input)} {
			head, body, err := r.Next()
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
				continue
			}
			if *head != test.want || string(body) != test.body || r.Ahead() {
				t.Errorf("%s: got %+v, %d bytes %.9q, more %v, want %+v, %.9q", test.what, *head, len(body), body, r.Ahead(), test.want, test.body)
			}
			if _, _, err := r.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: after it: got %v, want EOF", test.what, err)
			}
		}
	}
}

func TestNextAfterNext(t *testing.T) {
	one := ok + "content-length: 5\r\n\r\nhello"
	r := readerOf(one + one + ok + "content-length: 3\r\n\r\nbye" + one)
	for _, want := range []string{"hello", "hello", "bye", "hello"} {
		if !r.Ahead() && want != "hello" {
			t.Error("nothing is ahead")
		}
		if _, body, err := r.Next(); string(body) != want || err != nil {
			t.Errorf("got %q, %v, want %q", body, err, want)
		}
	}
}

func TestNextRefuses(t *testing.T) {
	for _, test := range []struct {
		what, input string
		want        error
	}{
		{"another protocol", "SSH-2.0-x\r\n\r\n", errStatusLine},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n", errVersion},
		{"status of two digits", "HTTP/1.1 20 OK\r\n\r\n", errStatusLine},
		{"status below 100", "HTTP/1.1 099 OK\r\n\r\n", errStatusLine},
		{"signed status", "HTTP/1.1 +20 OK\r\n\r\n", errStatusLine},
		{"switch", "HTTP/1.1 101 Switching\r\n\r\n", errSwitch},
		{"interim for ever", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 100), errInterim},
		{"no colon", ok + "field\r\n\r\n", errField},
		{"space before the colon", ok + "a : b\r\n\r\n", errField},
		{"folded line", ok + "a: b\r\n c: d\r\n\r\n", errField},
		{"bare line feed", ok + "a: b\nc: d\r\n\r\n", errField},
		{"no name", ok + ": b\r\n\r\n", errField},
		{"two lengths", ok + "content-length: 1\r\ncontent-length: 1\r\n\r\na", errLength},
		{"list of lengths", ok + "content-length: 1, 1\r\n\r\na", errLength},
		{"negative length", ok + "content-length: -1\r\n\r\n", errLength},
		{"signed length", ok + "content-length: +1\r\n\r\na", errLength},
		{"length and chunks", ok + "content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", errTransfer},
		{"chunks and length", ok + "transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", errTransfer},
		{"unknown coding", ok + "transfer-encoding: gzip, chunked\r\n\r\n", errTransfer},
		{"above the limit", ok + "content-length: 1048577\r\n\r\n", ErrTooLarge},
		{"chunks above the limit", ok + "transfer-encoding: chunked\r\n\r\n100001\r\n", ErrTooLarge},
		{"endless", ok + "\r\n" + strings.Repeat("x", 1<<20+1), ErrTooLarge},
		{"chunk without a size", ok + "transfer-encoding: chunked\r\n\r\n\r\n", errChunk},
		{"chunk of a wild size", ok + "transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n", errChunk},
		{"chunk of 2^64", ok + "transfer-encoding: chunked\r\n\r\n10000000000000000\r\n", errChunk},
		{"chunk of a long size", ok + "transfer-encoding: chunked\r\n\r\n00000000000000005\r\nhello\r\n", errChunk},
		{"chunk longer than it says", ok + "transfer-encoding: chunked\r\n\r\n1\r\nhello\r\n", errChunk},
		{"chunk with bare line feed", ok + "transfer-encoding: chunked\r\n\r\n1\na", errLine},
		{"endless chunk line", ok + "transfer-encoding: chunked\r\n\r\n1;" + strings.Repeat("x", maxLine), errLine},
		{"endless trailers", ok + "transfer-encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("a: "+strings.Repeat("b", 1000)+"\r\n", 100), errTrailers},
		{"endless head", ok + "a: " + strings.Repeat("x", 2*maxHead), errHeadTooLarge},
		{"cut head", ok + "a: b\r\n", io.ErrUnexpectedEOF},
		{"cut body", ok + "content-length: 5\r\n\r\nhell", io.ErrUnexpectedEOF},
		{"cut chunk", ok + "transfer-encoding: chunked\r\n\r\n5\r\nhell", io.ErrUnexpectedEOF},
		{"cut between chunks", ok + "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", io.ErrUnexpectedEOF},
		{"nothing", "", io.EOF},
	} {
		for _, r := range []*Reader{readerOf(test.input), slowReaderOf(test.input)} {
			if head, body, err := r.Next(); !errors.Is(err, test.want) {
				t.Errorf("%s: got %+v, %.9q, %v, want %v", test.what, head, body, err, test.want)
			}
		}
	}
}

// TestAnnouncementIsFree has a server announce a large body and send none of it.
func TestAnnouncementIsFree(t *testing.T) {
	r := readerOf(ok + "content-length: 1000000\r\n\r\n")
	if _, _, err := r.Next(); !errors.Is(err, io.ErrUnexpectedEOF) || cap(r.body)+cap(r.in) > 2*firstBuffer {
		t.Errorf("got %v and %d bytes", err, cap(r.body)+cap(r.in))
	}
}

func TestAllocations(t *testing.T) {
	response := ok + "content-length: 5\r\ndate: today\r\n\r\nhello"
	input := strings.NewReader("")
	r := NewReader(input.Read, 100)
	if n := testing.AllocsPerRun(100, func() {
		input.Reset(response)
		if _, _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for a response, want none", n)
	}
}
