package h2http_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"example.com/greet/internal/h2http"
)

// peerServer is a server in the hands of a test, frame by frame.
type peerServer struct {
	url      string
	client   *http.Client
	accepted atomic.Int64
}

// servePeer runs script for each connection, whose number it is given, and ends the
// connection when that returns. Change may change the client.
func servePeer(t *testing.T, script func(p *peer, nth int64), settings []http2.Setting, change func(*http.Transport)) *peerServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Protocols: new(http.Protocols), MaxConnsPerHost: 1}
	transport.Protocols.SetUnencryptedHTTP2(true)
	if change != nil {
		change(transport)
	}
	h2http.ConfigureTransport(transport)
	s := &peerServer{url: "http://" + l.Addr().String(), client: &http.Client{Transport: transport}}
	var scripts sync.WaitGroup
	scripts.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			nth := s.accepted.Add(1)
			scripts.Go(func() {
				defer conn.Close()
				if p := greet(t, conn, settings); p != nil {
					script(p, nth)
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		transport.CloseIdleConnections()
		scripts.Wait()
	})
	return s
}

// greet reads the client's preface and sends settings. Nil if the client has gone.
func greet(t *testing.T, conn net.Conn, settings []http2.Setting) *peer {
	_ = conn.SetDeadline(time.Now().Add(patience))
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(conn, preface); err != nil || string(preface) != http2.ClientPreface {
		return nil
	}
	p := &peer{http2.NewFramer(conn, conn), t, conn}
	p.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if p.WriteSettings(settings...) != nil {
		return nil
	}
	return p
}

// next reads until a frame of the kind comes. False says that the client has gone.
func next[F http2.Frame](p *peer) (wanted F, ok bool) {
	for {
		frame, err := p.ReadFrame()
		if err != nil {
			return wanted, false
		}
		if wanted, ok := frame.(F); ok {
			return wanted, true
		}
	}
}

// respond sends a response's header; status 200 but for what the fields say.
func (p *peer) respond(id uint32, end bool, fields ...string) {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	if !slices.Contains(fields, ":status") {
		fields = append([]string{":status", "200"}, fields...)
	}
	for i := 0; i < len(fields); i += 2 {
		_ = encoder.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1], Sensitive: true})
	}
	first := block.Next(1 << 14)
	_ = p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: first, EndHeaders: block.Len() == 0, EndStream: end})
	for block.Len() > 0 {
		_ = p.WriteContinuation(id, block.Len() <= 1<<14, block.Next(1<<14))
	}
}

// serveAll answers every request with "ok" until the client leaves.
func serveAll(p *peer) {
	for {
		f, ok := next[*http2.MetaHeadersFrame](p)
		if !ok {
			return
		}
		p.respond(f.StreamID, false)
		_ = p.WriteData(f.StreamID, true, []byte("ok"))
	}
}

// post sends a body, and returns that of the response.
func (s *peerServer) post(t *testing.T, body io.Reader) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, body)
	if err != nil {
		t.Fatal(err)
	}
	return s.send(req)
}

func (s *peerServer) send(req *http.Request) (string, error) {
	res, err := s.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}

// TestRetries has a server that does not begin to serve a first request. It is made
// again, on another connection where the first one ends, if its body can be had again;
// otherwise the error says so in the words that callers look for.
func TestRetries(t *testing.T) {
	refuse := map[string]func(p *peer, id uint32) (stay bool){
		"GOAWAY":         func(p *peer, _ uint32) bool { _ = p.WriteGoAway(0, http2.ErrCodeNo, nil); return false },
		"REFUSED_STREAM": func(p *peer, id uint32) bool { _ = p.WriteRSTStream(id, http2.ErrCodeRefusedStream); return true },
	}
	for name, refuse := range refuse {
		for again, body := range map[bool]io.Reader{true: strings.NewReader("x"), false: io.MultiReader(strings.NewReader("x"))} {
			t.Run(fmt.Sprintf("%s, %t", name, again), func(t *testing.T) {
				var refusals atomic.Int64
				s := servePeer(t, func(p *peer, _ int64) {
					if f, ok := next[*http2.MetaHeadersFrame](p); ok { // so that the connection has served
						p.respond(f.StreamID, true)
					}
					for refusals.Load() > 0 {
						f, ok := next[*http2.MetaHeadersFrame](p)
						if !ok {
							return
						}
						refusals.Add(-1)
						if !refuse(p, f.StreamID) {
							awaitGone(p)
							return
						}
					}
					serveAll(p)
				}, nil, nil)
				refusals.Store(1)
				if _, err := s.post(t, nil); err != nil {
					t.Fatal(err)
				}
				_, err := s.post(t, body)
				if again && err != nil {
					t.Error(err)
				}
				if !again && (err == nil || !strings.Contains(err.Error(), "REFUSED_STREAM; received from peer")) {
					t.Errorf("error %v, want REFUSED_STREAM", err)
				}
				if refusals.Load() != 0 {
					t.Error("nothing was refused")
				}
			})
		}
	}
}

func awaitGone(p *peer) {
	for {
		if _, err := p.ReadFrame(); err != nil {
			return
		}
	}
}

// TestNoEndlessDialling calls servers that end each connection before it is of use.
func TestNoEndlessDialling(t *testing.T) {
	for name, script := range map[string]func(p *peer){
		"says nothing more":    func(*peer) {},
		"sends the client off": func(p *peer) { _ = p.WriteGoAway(0, http2.ErrCodeNo, nil) },
		"breaks the protocol":  func(p *peer) { _ = p.WriteRSTStream(1, http2.ErrCodeNo); awaitGone(p) },
	} {
		t.Run(name, func(t *testing.T) {
			s := servePeer(t, func(p *peer, _ int64) { script(p) }, nil, nil)
			var callers sync.WaitGroup
			for range 4 {
				callers.Go(func() {
					if _, err := s.post(t, nil); err == nil {
						t.Error("a request went well")
					}
				})
			}
			callers.Wait()
			if n := s.accepted.Load(); n > 8 {
				t.Errorf("%d connections for 4 requests", n)
			}
		})
	}
}

// TestResets has a server reset a response before it has begun, and in the middle.
func TestResets(t *testing.T) {
	s := servePeer(t, func(p *peer, _ int64) {
		f, _ := next[*http2.MetaHeadersFrame](p)
		_ = p.WriteRSTStream(f.StreamID, http2.ErrCodeInternal)
		f, ok := next[*http2.MetaHeadersFrame](p)
		if !ok {
			return
		}
		p.respond(f.StreamID, false)
		_ = p.WriteData(f.StreamID, false, []byte("half"))
		_ = p.WriteRSTStream(f.StreamID, http2.ErrCodeEnhanceYourCalm)
		awaitGone(p)
	}, nil, nil)
	_, err := s.post(t, nil)
	if err == nil || !strings.HasSuffix(err.Error(), "stream error: stream ID 1; INTERNAL_ERROR; received from peer") {
		t.Errorf("before it began: %v", err)
	}
	text, err := s.post(t, nil)
	if text != "half" || err == nil || err.Error() != "stream error: stream ID 3; ENHANCE_YOUR_CALM; received from peer" {
		t.Errorf("in the middle: %q, %v", text, err)
	}
}

// TestBadResponses sends what no server should.
func TestBadResponses(t *testing.T) {
	for name, script := range map[string]func(p *peer, id uint32){
		"a status that is no number": func(p *peer, id uint32) { p.respond(id, true, ":status", "abc") },
		"a body too short": func(p *peer, id uint32) {
			p.respond(id, false, "content-length", "5")
			_ = p.WriteData(id, true, []byte("1234"))
		},
		"a body too long": func(p *peer, id uint32) {
			p.respond(id, false, "content-length", "3")
			_ = p.WriteData(id, true, []byte("1234"))
		},
		"a header of 100 KiB":       func(p *peer, id uint32) { p.respond(id, true, "x", strings.Repeat("x", 100<<10)) },
		"a body before a header":    func(p *peer, id uint32) { _ = p.WriteData(id, true, []byte("1")) },
		"the end of the connection": func(p *peer, id uint32) { p.respond(id, false); p.conn.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			s := servePeer(t, func(p *peer, _ int64) {
				f, _ := next[*http2.MetaHeadersFrame](p)
				script(p, f.StreamID)
				awaitGone(p)
			}, nil, nil)
			if text, err := s.post(t, nil); err == nil {
				t.Errorf("got %q, want an error", text)
			}
		})
	}
}

// TestStreamsOfThePeer has a server that takes one stream at a time, and for a while
// none.
func TestStreamsOfThePeer(t *testing.T) {
	one, none := http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1}, http2.Setting{ID: http2.SettingMaxConcurrentStreams}
	var most atomic.Int64
	proceed := make(chan struct{})
	s := servePeer(t, func(p *peer, _ int64) {
		<-proceed
		_ = p.WriteSettings(one)
		for {
			f, ok := next[*http2.MetaHeadersFrame](p)
			if !ok {
				return
			}
			_ = p.WritePing(false, [8]byte{}) // what else has been sent comes before the answer
			for {
				frame, err := p.ReadFrame()
				if err != nil {
					return
				}
				if _, more := frame.(*http2.MetaHeadersFrame); more {
					most.Add(1)
				}
				if _, ok := frame.(*http2.PingFrame); ok {
					break
				}
			}
			p.respond(f.StreamID, true)
		}
	}, []http2.Setting{none}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.send(req); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a stream: %v, want that the deadline has passed", err)
	}
	close(proceed)
	var callers sync.WaitGroup
	for range 5 {
		callers.Go(func() {
			if _, err := s.post(t, strings.NewReader("x")); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	if n := most.Load(); n > 0 || s.accepted.Load() != 1 {
		t.Errorf("%d streams above the limit of 1, on %d connections", n, s.accepted.Load())
	}
}

// TestRequestWaitsForThePeersWindow opens the window of a request bit by bit.
func TestRequestWaitsForThePeersWindow(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789"), 20_000)
	got := make(chan []byte, 1)
	s := servePeer(t, func(p *peer, _ int64) {
		f, _ := next[*http2.MetaHeadersFrame](p)
		var body []byte
		for end := false; !end; {
			_ = p.WriteWindowUpdate(0, 10_000)
			_ = p.WriteWindowUpdate(f.StreamID, 10_000)
			for room := 10_000; room > 0 && !end; {
				d, ok := next[*http2.DataFrame](p)
				if !ok {
					return
				}
				body = append(body, d.Data()...)
				room -= len(d.Data())
				end = d.StreamEnded()
			}
		}
		got <- body
		p.respond(f.StreamID, true)
		awaitGone(p)
	}, []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 0}}, nil)
	if _, err := s.post(t, bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	if body := <-got; !bytes.Equal(body, want) {
		t.Errorf("%d bytes came, or others than were sent", len(body))
	}
}

// TestCancelBeforeTheResponse cancels a request that waits for the peer's window.
func TestCancelBeforeTheResponse(t *testing.T) {
	begun, reset := make(chan struct{}), make(chan http2.ErrCode, 1)
	s := servePeer(t, func(p *peer, _ int64) {
		_, _ = next[*http2.MetaHeadersFrame](p)
		close(begun)
		if f, ok := next[*http2.RSTStreamFrame](p); ok {
			reset <- f.ErrCode
		}
		close(reset)
	}, []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 0}}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	body, writer := io.Pipe()
	go func() { _, _ = writer.Write(make([]byte, 100_000)) }()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, body)
	if err != nil {
		t.Fatal(err)
	}
	go func() { <-begun; cancel() }()
	if _, err := s.send(req); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	if code := <-reset; code != http2.ErrCodeCancel {
		t.Errorf("reset with %v", code)
	}
	if _, err := writer.Write([]byte("x")); err == nil {
		t.Error("the request's body was not closed")
	}
}

// TestTableOfThePeer has a server change the size of its header table between requests.
func TestTableOfThePeer(t *testing.T) {
	methods := make(chan string, 4)
	s := servePeer(t, func(p *peer, _ int64) {
		decoder := hpack.NewDecoder(4096, nil)
		p.ReadMetaHeaders = decoder
		for _, size := range []uint32{0, 100, 1 << 20, 4096} {
			f, ok := next[*http2.MetaHeadersFrame](p)
			if !ok {
				return
			}
			methods <- f.PseudoValue("method")
			decoder.SetAllowedMaxDynamicTableSize(max(size, 4096))
			_ = p.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: size})
			p.respond(f.StreamID, true)
		}
		awaitGone(p)
	}, nil, nil)
	for range 4 {
		if _, err := s.post(t, nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		if method := <-methods; method != "POST" {
			t.Errorf("the server has understood %q", method)
		}
	}
}

// TestRequestHeaderLimit sends more than the server says it takes.
func TestRequestHeaderLimit(t *testing.T) {
	s := servePeer(t, func(p *peer, _ int64) { serveAll(p) }, []http2.Setting{{ID: http2.SettingMaxHeaderListSize, Val: 1000}}, nil)
	if _, err := s.post(t, nil); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodGet, s.url+"/"+strings.Repeat("x", 1000), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.send(req); err == nil {
		t.Error("a header above the server's limit was sent")
	}
}

// TestVanishedServers are found although they have a request to answer.
func TestVanishedServers(t *testing.T) {
	s := servePeer(t, func(p *peer, _ int64) { awaitGone(p) }, nil, func(tr *http.Transport) {
		tr.HTTP2 = &http.HTTP2Config{SendPingTimeout: 50 * time.Millisecond, PingTimeout: 50 * time.Millisecond}
	})
	if _, err := s.post(t, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want that the connection was lost", err)
	}
}

// TestIdleClientsLeave waits for the client to end a connection that it does not use.
func TestIdleClientsLeave(t *testing.T) {
	gone := make(chan struct{})
	s := servePeer(t, func(p *peer, _ int64) { serveAll(p); close(gone) }, nil, func(tr *http.Transport) {
		tr.IdleConnTimeout = 50 * time.Millisecond
	})
	if _, err := s.post(t, nil); err != nil {
		t.Fatal(err)
	}
	<-gone
}

// TestGracefulGoAway has a server leave in the middle of a response. That comes whole,
// and the next request goes elsewhere.
func TestGracefulGoAway(t *testing.T) {
	s := servePeer(t, func(p *peer, nth int64) {
		if nth > 1 {
			serveAll(p)
			return
		}
		f, _ := next[*http2.MetaHeadersFrame](p)
		p.respond(f.StreamID, false)
		_ = p.WriteGoAway(1<<31-1, http2.ErrCodeNo, nil)
		_ = p.WriteGoAway(f.StreamID, http2.ErrCodeNo, nil)
		_ = p.WriteData(f.StreamID, true, []byte("whole"))
		awaitGone(p)
	}, nil, nil)
	for _, want := range []string{"whole", "ok"} {
		if text, err := s.post(t, nil); text != want || err != nil {
			t.Errorf("got %q, %v, want %q", text, err, want)
		}
	}
}

// TestEarlyResponse has a server answer before it has read the request, of which it then
// wants no more.
func TestEarlyResponse(t *testing.T) {
	s := servePeer(t, func(p *peer, _ int64) {
		f, _ := next[*http2.MetaHeadersFrame](p)
		p.respond(f.StreamID, false)
		_ = p.WriteData(f.StreamID, true, []byte("no thanks"))
		_ = p.WriteRSTStream(f.StreamID, http2.ErrCodeNo)
		awaitGone(p)
	}, []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 0}}, nil)
	body, writer := io.Pipe()
	go func() { _, _ = writer.Write(make([]byte, 1<<20)) }()
	if text, err := s.post(t, body); text != "no thanks" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	wantSoon(t, "the request's body is closed", func() bool {
		_, err := writer.Write([]byte("x"))
		return err != nil
	})
}

// TestWrongLength has requests whose body is not as long as they say.
func TestWrongLength(t *testing.T) {
	s := servePeer(t, func(p *peer, _ int64) { awaitGone(p) }, nil, nil)
	for _, said := range []int64{4, 6, 100_000} {
		for _, again := range []bool{false, true} {
			req, err := http.NewRequest(http.MethodPost, s.url, strings.NewReader("12345"))
			if err != nil {
				t.Fatal(err)
			}
			if req.ContentLength = said; !again {
				req.GetBody = nil
			}
			if _, err := s.send(req); err == nil {
				t.Errorf("5 bytes went for %d", said)
			}
		}
	}
}
