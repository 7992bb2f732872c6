package socket_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"example.com/greet/internal/h2/socket"
)

// pair returns both ends of a TCP connection.
func pair(t *testing.T) (near, far *net.TCPConn) {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if near, err = net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)); err != nil {
		t.Fatal(err)
	}
	if far, err = l.AcceptTCP(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		near.Close()
		far.Close()
	})
	return near, far
}

func TestReadWaits(t *testing.T) {
	near, far := pair(t)
	s := socket.New(near)
	wrote := time.AfterFunc(20*time.Millisecond, func() {
		_, _ = far.Write([]byte("hello"))
		far.Close()
	})
	defer wrote.Stop()
	p := make([]byte, 10)
	if n, err := s.Read(p); string(p[:n]) != "hello" || err != nil {
		t.Errorf("got %q, %v, want what was written", p[:n], err)
	}
	if n, err := s.Read(p); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("after the end: got %d bytes, %v, want EOF", n, err)
	}
}

func TestReadEnds(t *testing.T) {
	for _, test := range []struct {
		what string
		end  func(near, far *net.TCPConn)
		want error
	}{
		{"deadline", func(near, _ *net.TCPConn) { _ = near.SetReadDeadline(time.Now()) }, os.ErrDeadlineExceeded},
		{"close", func(near, _ *net.TCPConn) { near.Close() }, net.ErrClosed},
		{"reset", func(_, far *net.TCPConn) { _ = far.SetLinger(0); far.Close() }, syscall.ECONNRESET},
	} {
		near, far := pair(t)
		s := socket.New(near)
		time.AfterFunc(20*time.Millisecond, func() { test.end(near, far) })
		if n, err := s.Read(make([]byte, 10)); n != 0 || !errors.Is(err, test.want) {
			t.Errorf("%s: got %d bytes, %v, want %v", test.what, n, err, test.want)
		}
	}
}

// TestTryWriteDoesNotWait writes to a peer that does not read.
func TestTryWriteDoesNotWait(t *testing.T) {
	near, far := pair(t)
	s := socket.New(near)
	sent := 0
	for {
		n, err := s.TryWrite(make([]byte, 1<<20))
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
		sent += n
	}
	near.CloseWrite()
	if got, err := io.Copy(io.Discard, far); int(got) != sent || err != nil {
		t.Errorf("%d bytes came, %v, want %d", got, err, sent)
	}
	if _, err := s.TryWrite([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("after the end: got %v, want EPIPE", err)
	}
}

// TestWithoutDescriptor reads from what has none, and leaves writing to others.
func TestWithoutDescriptor(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	s := socket.New(near)
	go func() { _, _ = far.Write([]byte("hello")) }()
	p := make([]byte, 10)
	if n, err := s.Read(p); string(p[:n]) != "hello" || err != nil {
		t.Errorf("got %q, %v, want what was written", p[:n], err)
	}
	if n, err := s.TryWrite(p); n != 0 || err != nil {
		t.Errorf("wrote %d bytes, %v, want none", n, err)
	}
}

func TestAllocations(t *testing.T) {
	near, far := pair(t)
	a, b := socket.New(near), socket.New(far)
	p := make([]byte, 10)
	if n := testing.AllocsPerRun(100, func() {
		_, _ = a.TryWrite(p)
		_, _ = b.Read(p)
	}); n > 0 {
		t.Errorf("%v allocations for a write and a read, want none", n)
	}
}

// TestTryWritev writes buffers, some of them empty, until the peer, which does not
// read, has no room for all of one write.
func TestTryWritev(t *testing.T) {
	near, far := pair(t)
	s := socket.New(near)
	if s.TryWritev == nil {
		t.Skip("this system has no such write here")
	}
	bufs := [][]byte{nil, []byte("hello "), {}, bytes.Repeat([]byte("x"), 1<<20), []byte("world")}
	whole := bytes.Join(bufs, nil)
	sent := 0
	for {
		n, err := s.TryWritev(bufs)
		if err != nil {
			t.Fatal(err)
		}
		if sent += n; n < len(whole) {
			break
		}
	}
	near.CloseWrite()
	got, err := io.ReadAll(far)
	want := bytes.Repeat(whole, sent/len(whole)+1)[:sent]
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes came, %v, want the %d that were written", len(got), err, sent)
	}
	if n, err := s.TryWritev(nil); n != 0 || err != nil {
		t.Errorf("nothing to write: got %d, %v", n, err)
	}
	if _, err := s.TryWritev(bufs); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("after the end: got %v, want EPIPE", err)
	}
}
