package h2http_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// serveOK answers every request at once.
func serveOK(http.ResponseWriter, *http.Request) {}

// TestMalformedRequests sends what no client should. A handler sees none of it, or an
// error in the place of a body.
func TestMalformedRequests(t *testing.T) {
	const reset = "reset"
	read := func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err == nil && r.URL.Path == "/body" {
			t.Errorf("%s %s of length %d reached the handler whole", r.Method, r.URL, r.ContentLength)
		}
	}
	s := fast(t, read, nil)
	for _, test := range []struct {
		name   string
		fields []string
		body   string // sent after the header, if it is not empty
		want   string
	}{
		{"a target that is no path", []string{":path", "no path"}, "", "400"},
		{"a target with a broken escape", []string{":path", "/%zz"}, "", "400"},
		{"a method that is no token", []string{":method", "G T"}, "", "400"},
		{"a host that is none", []string{":authority", "a b"}, "", "400"},
		{"a length that is no number", []string{"content-length", "five"}, "", "400"},
		{"two lengths", []string{"content-length", "1", "content-length", "2"}, "", "400"},
		{"a length below 0", []string{"content-length", "-1"}, "", "400"},
		{"a length and no body", []string{"content-length", "5"}, "", "400"},
		{"a body too short", []string{":path", "/body", "content-length", "5"}, "1234", reset},
		{"a body too long", []string{":path", "/body", "content-length", "5"}, "123456", reset},
		{"a body as long as it was said to be", []string{"content-length", "5"}, "12345", "200"},
		{"the server itself", []string{":method", "OPTIONS", ":path", "*"}, "", "200"},
		{"a tunnel with a path", []string{":method", "CONNECT"}, "", reset},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := s.dial(t)
			p.request(1, test.body == "", test.fields...)
			if test.body != "" {
				p.sent(p.WriteData(1, true, []byte(test.body)))
			}
			got := ""
			for got == "" {
				switch f := await[http2.Frame](p).(type) {
				case *http2.MetaHeadersFrame:
					got = f.PseudoValue("status")
				case *http2.RSTStreamFrame:
					got = reset
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestRequestWaitsForItsReader sends more than a handler reads.
func TestRequestWaitsForItsReader(t *testing.T) {
	const window = 256 << 10
	proceed := make(chan struct{})
	s := fast(t, func(_ http.ResponseWriter, r *http.Request) {
		<-proceed
		n, err := io.Copy(io.Discard, r.Body)
		if n != 3*window || err != nil {
			t.Errorf("read %d bytes, %v", n, err)
		}
	}, nil)
	var sent atomic.Int64
	ended := make(chan error, 1)
	go func() {
		res, err := s.Client().Post(s.URL, "", &counted{io.LimitReader(zeros{}, 3*window), &sent})
		if err == nil {
			res.Body.Close()
		}
		ended <- err
	}()
	wantSoon(t, "the window is full", func() bool { return sent.Load() >= window })
	before := int64(-1)
	wantSoon(t, "the client stands still", func() bool {
		now := sent.Load()
		still := now == before
		before = now
		time.Sleep(20 * time.Millisecond)
		return still
	})
	if n := sent.Load(); n > 2*window {
		t.Errorf("%d bytes were taken of a body that nobody reads", n)
	}
	close(proceed)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// TestResponseWaitsForItsReader has a peer open the window of a response bit by bit. The
// handler changes what it has written as soon as Write returns.
func TestResponseWaitsForItsReader(t *testing.T) {
	const size, writes = 100_000, 3
	var done atomic.Int64
	s := fast(t, func(w http.ResponseWriter, _ *http.Request) {
		p := make([]byte, size)
		for i := range writes {
			for j := range p {
				p[j] = byte('a' + i)
			}
			if _, err := w.Write(p); err != nil {
				t.Error(err)
			}
			clear(p)
			done.Add(1)
		}
	}, nil)
	p := s.dial(t, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	p.request(1, true)
	await[*http2.MetaHeadersFrame](p)
	var got []byte
	for end := false; !end; {
		if done.Load() > int64(len(got)/size)+1 {
			t.Fatalf("%d writes are done, and %d bytes were taken", done.Load(), len(got))
		}
		p.sent(p.WriteWindowUpdate(1, 10_000))
		p.sent(p.WriteWindowUpdate(0, 10_000))
		for room := 10_000; room > 0 && !end; {
			f := await[*http2.DataFrame](p)
			got = append(got, f.Data()...)
			room -= len(f.Data())
			end = f.StreamEnded()
		}
	}
	want := strings.Repeat("a", size) + strings.Repeat("b", size) + strings.Repeat("c", size)
	if string(got) != want {
		t.Errorf("%d bytes came, or others than were written", len(got))
	}
}

// TestHandlersAreBounded resets streams whose handlers go on.
func TestHandlersAreBounded(t *testing.T) {
	const streams = 20 // see start
	var live, most atomic.Int64
	release := make(chan struct{})
	s := fast(t, func(http.ResponseWriter, *http.Request) {
		if n := live.Add(1); n > most.Load() {
			most.Store(n)
		}
		<-release
		live.Add(-1)
	}, nil)
	p := s.dial(t)
	reset := func(from, n int) {
		for i := range n {
			id := uint32(2*(from+i) + 1)
			p.request(id, true)
			p.sent(p.WriteRSTStream(id, http2.ErrCodeCancel))
			if i%10 == 9 { // as a client does that gives up, and not in a burst
				p.sent(p.WritePing(false, [8]byte{}))
				await[*http2.PingFrame](p)
			}
		}
	}
	reset(0, 60)
	if n := most.Load(); n > streams {
		t.Errorf("%d handlers ran at once, want at most %d", n, streams)
	}
	close(release)
	wantSoon(t, "all handlers have ended", func() bool { return live.Load() == 0 })
	p.request(1001, true)
	for {
		if f := await[*http2.MetaHeadersFrame](p); f.StreamID == 1001 {
			break
		}
	}
	if n := most.Load(); n > streams {
		t.Errorf("%d handlers ran at once, want at most %d", n, streams)
	}
}

// TestTooManyResets goes on where TestHandlersAreBounded stops.
func TestTooManyResets(t *testing.T) {
	release := make(chan struct{})
	s := fast(t, func(http.ResponseWriter, *http.Request) { <-release }, nil)
	defer close(release)
	p := s.dial(t)
	for i := range 400 {
		id := uint32(2*i + 1)
		header := http2.HeadersFrameParam{StreamID: id, BlockFragment: headerBlock(), EndHeaders: true, EndStream: true}
		if p.WriteHeaders(header) != nil || p.WriteRSTStream(id, http2.ErrCodeCancel) != nil {
			break // it is closed already
		}
	}
	if f := await[*http2.GoAwayFrame](p); f.ErrCode != http2.ErrCodeEnhanceYourCalm {
		t.Errorf("sent away with %v", f.ErrCode)
	}
	p.awaitEnd()
}

// TestDrain shuts the server down with a call in flight: a GOAWAY that lets what is on
// its way come, then one that names the last stream, then the end.
func TestDrain(t *testing.T) {
	proceed := make(chan struct{})
	s := fast(t, func(w http.ResponseWriter, _ *http.Request) {
		<-proceed
		io.WriteString(w, "whole")
	}, nil)
	p := s.dial(t)
	p.request(1, true)
	p.sent(p.WritePing(false, [8]byte{}))
	await[*http2.PingFrame](p)
	ended := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		ended <- s.Config.Shutdown(ctx)
	}()
	if f := await[*http2.GoAwayFrame](p); f.LastStreamID != 1<<31-1 || f.ErrCode != http2.ErrCodeNo {
		t.Errorf("first GOAWAY: %v", f)
	}
	ping := await[*http2.PingFrame](p)
	p.request(3, true) // was on its way
	p.sent(p.WritePing(true, ping.Data))
	if f := await[*http2.GoAwayFrame](p); f.LastStreamID != 3 || f.ErrCode != http2.ErrCodeNo {
		t.Errorf("second GOAWAY: %v", f)
	}
	close(proceed)
	for range 2 {
		if f := await[*http2.DataFrame](p); string(f.Data()) != "whole" || !f.StreamEnded() {
			t.Errorf("stream %d ended with %q", f.StreamID, f.Data())
		}
	}
	p.awaitEnd()
	if err := <-ended; err != nil {
		t.Errorf("shutdown: %v", err)
	}
}

// TestClose cuts calls in flight.
func TestClose(t *testing.T) {
	ended := make(chan error, 1)
	s := fast(t, func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		_, err := w.Write(make([]byte, 1<<20))
		ended <- err
	}, nil)
	p := s.dial(t)
	p.request(1, true)
	p.sent(p.WritePing(false, [8]byte{}))
	await[*http2.PingFrame](p)
	s.Config.Close()
	p.awaitEnd()
	if err := <-ended; err == nil {
		t.Error("a handler could write to a connection that was closed")
	}
}

func TestIdleConnectionsEnd(t *testing.T) {
	s := fast(t, serveOK, func(srv *http.Server) { srv.IdleTimeout = 100 * time.Millisecond })
	p := s.dial(t)
	p.request(1, true)
	await[*http2.MetaHeadersFrame](p)
	if f := await[*http2.GoAwayFrame](p); f.ErrCode != http2.ErrCodeNo || f.LastStreamID != 1 {
		t.Errorf("sent away with %v", f)
	}
	p.awaitEnd()
}

// TestVanishedPeers are found although a call is in flight.
func TestVanishedPeers(t *testing.T) {
	gone := make(chan struct{})
	s := fast(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done(); close(gone) }, func(srv *http.Server) {
		srv.HTTP2.SendPingTimeout, srv.HTTP2.PingTimeout = 100*time.Millisecond, 100*time.Millisecond
	})
	p := s.dial(t)
	p.request(1, true)
	for range 2 {
		ping := await[*http2.PingFrame](p)
		p.sent(p.WritePing(true, ping.Data))
	}
	await[*http2.PingFrame](p) // which gets no answer
	p.awaitEnd()
	select {
	case <-gone:
	case <-time.After(patience):
		t.Error("the handler goes on")
	}
}

// TestConnectionClose has a handler end its connection.
func TestConnectionClose(t *testing.T) {
	s := fast(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") }, nil)
	p := s.dial(t)
	p.request(1, true)
	await[*http2.GoAwayFrame](p)
}

// TestShortResponseIsNotWhole says a length that the body does not reach.
func TestShortResponseIsNotWhole(t *testing.T) {
	s := fast(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		io.WriteString(w, "12345")
	}, nil)
	p := s.dial(t)
	p.request(1, true)
	if f := await[*http2.RSTStreamFrame](p); f.ErrCode != http2.ErrCodeInternal {
		t.Errorf("reset with %v", f.ErrCode)
	}
}

// TestRestOfARequest answers before the body has come, which nobody wants then.
func TestRestOfARequest(t *testing.T) {
	s := fast(t, serveOK, nil)
	p := s.dial(t)
	p.request(1, false, ":method", "POST")
	await[*http2.MetaHeadersFrame](p)
	if f := await[*http2.RSTStreamFrame](p); f.ErrCode != http2.ErrCodeNo {
		t.Errorf("reset with %v", f.ErrCode)
	}
}

// TestLateHandler uses a response after the handler has returned.
func TestLateHandler(t *testing.T) {
	late := make(chan http.ResponseWriter, 1)
	s := fast(t, func(w http.ResponseWriter, _ *http.Request) { late <- w }, nil)
	s.do(t, "GET", "/", nil)
	w := <-late
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("a write after the end went well")
	}
	if err := http.NewResponseController(w).Flush(); err == nil {
		t.Error("a flush after the end went well")
	}
	w.WriteHeader(http.StatusTeapot)
}

// TestManyAtOnce has responses of many calls share connections and workers.
func TestManyAtOnce(t *testing.T) {
	s := fast(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Text", string(text))
		w.Write(text)
		if strings.HasSuffix(string(text), "7") {
			panic(http.ErrAbortHandler)
		}
	}, nil)
	var callers sync.WaitGroup
	for caller := range 16 {
		callers.Go(func() {
			for i := range 100 {
				want := strings.Repeat("x", caller*i) + string(rune('0'+i%10))
				res, err := s.Client().Post(s.URL, "", strings.NewReader(want))
				if err != nil {
					if i%10 != 7 {
						t.Error(err)
					}
					continue
				}
				text, err := io.ReadAll(res.Body)
				res.Body.Close()
				if string(text) != want || err != nil || res.Header.Get("X-Text") != want || i%10 == 7 {
					t.Errorf("got %d bytes, %v, for %d", len(text), err, len(want))
				}
			}
		})
	}
	callers.Wait()
}

// TestHTTP1 is served beside, on the same port.
func TestHTTP1(t *testing.T) {
	s := fast(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }, func(srv *http.Server) { srv.Protocols.SetHTTP1(true) })
	if body := s.do(t, "GET", "/", nil).body; body != "HTTP/2.0" {
		t.Errorf("got %q", body)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	res, err := (&http.Client{Transport: transport}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, _ := io.ReadAll(res.Body); string(body) != "HTTP/1.1" {
		t.Errorf("got %q", body)
	}
}

// TestSilentPeers say nothing, or half a preface.
func TestSilentPeers(t *testing.T) {
	s := fast(t, serveOK, func(srv *http.Server) { srv.ReadHeaderTimeout = 50 * time.Millisecond })
	for _, said := range []string{"", "PRI * HT"} {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, said)
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err := io.ReadAll(conn); err != nil {
			t.Errorf("after %q: %v, want the end", said, err)
		}
	}
}

func TestCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	echo := func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }
	for _, e := range ends[1:3] {
		s := start(t, echo, e, nil)
		how := "--http2-prior-knowledge"
		if e.tls {
			how = "--http2"
		}
		out, err := exec.CommandContext(t.Context(), curl, "-sSk", how, "-d", "hello", "-w", " %{http_version} %{http_code}", s.URL).Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Errorf("%s: %s", e.name, exit.Stderr)
		}
		if got := string(out); got != "hello 2 200" {
			t.Errorf("%s: got %q", e.name, got)
		}
	}
}
