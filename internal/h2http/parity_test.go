package h2http_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The tests of this file hold net/http's own HTTP/2 and this package to the same
// expectations.

func TestRequest(t *testing.T) {
	type seen struct {
		Method, URI, Path, Query, Host, Proto string
		Length                                int64
		Header                                http.Header
		Secure                                bool
	}
	saw := make(chan seen, 1)
	handler := func(_ http.ResponseWriter, r *http.Request) {
		r.Header.Del("User-Agent")
		r.Header.Del("Accept-Encoding") // this package's client does not ask for gzip
		saw <- seen{r.Method, r.RequestURI, r.URL.Path, r.URL.RawQuery, r.Host, r.Proto, r.ContentLength, r.Header, r.TLS != nil}

		if r.RemoteAddr == "" || r.Context().Value(http.ServerContextKey) == nil || r.Context().Value(http.LocalAddrContextKey) == nil {
			t.Errorf("address %q, or what the context should tell is missing", r.RemoteAddr)
		}
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		secure := strings.HasPrefix(s.URL, "https")
		s.do(t, "PUT", "/a%20b/c?d=e&f", strings.NewReader("12345"), "X-Two", "1", "x-two", "2", "Cookie", "a=b", "Cookie", "c=d")
		want := seen{"PUT", "/a%20b/c?d=e&f", "/a b/c", "d=e&f", s.Listener.Addr().String(), "HTTP/2.0", 5, http.Header{
			"X-Two": {"1", "2"}, "Cookie": {"a=b; c=d"}, "Content-Length": {"5"},
		}, secure}
		if diff := cmp.Diff(want, <-saw); diff != "" {
			t.Errorf("with a body (-want +got):\n%s", diff)
		}
		s.do(t, "GET", "/plain", nil)
		want = seen{"GET", "/plain", "/plain", "", want.Host, want.Proto, 0, http.Header{}, secure}
		if diff := cmp.Diff(want, <-saw); diff != "" {
			t.Errorf("without (-want +got):\n%s", diff)
		}
		s.do(t, "POST", "/", io.MultiReader(strings.NewReader("of unknown length")))
		if got := <-saw; got.Length != -1 || got.Header["Content-Length"] != nil {
			t.Errorf("length %d of a body whose length is not said, header %v", got.Length, got.Header)
		}
	})
}

func TestResponse(t *testing.T) {
	date := "Thu, 01 Jan 1970 00:00:00 GMT"
	tests := []struct {
		name    string
		method  string
		handler http.HandlerFunc
		status  int
		length  int64
		header  http.Header // beside Date
		body    string
	}{
		{"nothing", "GET", func(http.ResponseWriter, *http.Request) {}, 200, 0,
			http.Header{"Content-Length": {"0"}}, ""},
		{"short", "GET", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, 200, 6,
			http.Header{"Content-Length": {"6"}, "Content-Type": {"text/html; charset=utf-8"}}, "<html>"},
		{"long", "GET", func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 100_000)) }, 200, -1,
			http.Header{"Content-Type": {"application/octet-stream"}}, strings.Repeat("\x00", 100_000)},
		{"many writes", "GET", func(w http.ResponseWriter, _ *http.Request) {
			for range 3_000 {
				io.WriteString(w, "abc")
			}
		}, 200, -1, http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, strings.Repeat("abc", 3_000)},
		{"status and fields", "POST", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-One", "1")
			w.Header()["X-Two"] = []string{"a", "b"}
			w.Header()["lower"] = []string{"c"}
			w.Header().Set("Content-Type", "x/y")
			w.WriteHeader(http.StatusTeapot)
			w.WriteHeader(http.StatusOK)         // too late
			w.Header().Set("X-Late", "too late") // too
			io.WriteString(w, "tea")
		}, 418, 3, http.Header{"X-One": {"1"}, "X-Two": {"a", "b"}, "Lower": {"c"}, "Content-Type": {"x/y"}, "Content-Length": {"3"}}, "tea"},
		{"fields that cannot be sent", "GET", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Bad", "a\nb")
			w.Header()["bad name"] = []string{"c"}
			w.Header().Set("Transfer-Encoding", "chunked")
			w.Header()["Content-Type"] = nil
		}, 200, 0, http.Header{"Content-Length": {"0"}}, ""},
		{"HEAD", "HEAD", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "12345") }, 200, 5,
			http.Header{"Content-Length": {"5"}, "Content-Type": {"text/plain; charset=utf-8"}}, ""},
		{"HEAD with a length", "HEAD", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "77") }, 200, 77,
			http.Header{"Content-Length": {"77"}}, ""},
		{"no content", "GET", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			if _, err := io.WriteString(w, "x"); !errors.Is(err, http.ErrBodyNotAllowed) {
				t.Errorf("a body in no content: %v", err)
			}
		}, 204, 0, http.Header{}, ""},
		{"not modified", "GET", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, 304, 0, http.Header{}, ""},
		{"flushed", "GET", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4")
			http.NewResponseController(w).Flush()
			io.WriteString(w, "1234")
			if _, err := io.WriteString(w, "5"); err == nil {
				t.Error("more than the length that was said went well")
			}
		}, 200, 4, http.Header{"Content-Length": {"4"}}, "1234"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", date)
				test.handler(w, r)
			}
			onAll(t, handler, func(t *testing.T, s *server) {
				res := s.do(t, test.method, "/", nil, "Accept-Encoding", "identity")
				test.header.Set("Date", date)
				if diff := cmp.Diff(test.header, res.header); diff != "" {
					t.Errorf("header (-want +got):\n%s", diff)
				}
				if res.status != test.status || res.length != test.length || res.body != test.body {
					t.Errorf("got %d, length %d, %d bytes %.20q", res.status, res.length, len(res.body), res.body)
				}
			})
		})
	}
}

func TestDate(t *testing.T) {
	onAll(t, func(http.ResponseWriter, *http.Request) {}, func(t *testing.T, s *server) {
		res := s.do(t, "GET", "/", nil)
		if at, err := http.ParseTime(res.header.Get("Date")); err != nil || time.Since(at).Abs() > time.Minute {
			t.Errorf("date %q, %v", res.header.Get("Date"), err)
		}
	})
}

func TestEcho(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(w, r.Body); err != nil {
			t.Error(err)
		}
	}
	onAll(t, echo, func(t *testing.T, s *server) {
		for _, size := range []int{0, 1, 4095, 4096, 4097, 1 << 16, 3 << 20} {
			sent := bytes.Repeat([]byte("0123456789abcde"), size/15+1)[:size]
			if got := s.do(t, "POST", "/", bytes.NewReader(sent)).body; got != string(sent) {
				t.Errorf("%d bytes came back for %d", len(got), size)
			}
		}
	})
}

func TestTrailers(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if _, ok := r.Trailer["X-Sum"]; !ok || len(r.Trailer) != 1 {
			t.Errorf("announced: %v", r.Trailer)
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Trailer", "X-After, X-Unused")
		w.Header().Set("X-Before", "set")
		w.Write(body)
		w.Header().Set("X-After", r.Trailer.Get("X-Sum"))
		w.Header().Set(http.TrailerPrefix+"X-Unannounced", "yes")
		w.Header().Set("X-Before", "too late")
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, io.MultiReader(strings.NewReader("body")))
		if err != nil {
			t.Fatal(err)
		}
		req.Trailer = http.Header{"X-Sum": {"42"}}
		res := s.roundTrip(t, req)
		want := http.Header{"X-After": {"42"}, "X-Unannounced": {"yes"}, "X-Unused": nil}
		if diff := cmp.Diff(want, res.trailer); diff != "" || res.body != "body" || res.header.Get("X-Before") != "set" {
			t.Errorf("body %q, header %v, trailer (-want +got):\n%s", res.body, res.header, diff)
		}
	})
}

func TestTrailersWithoutBody(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Trailer", "X-After")
		w.WriteHeader(http.StatusOK)
		w.Header().Set("X-After", "yes")
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		if res := s.do(t, "GET", "/", nil); res.trailer.Get("X-After") != "yes" {
			t.Errorf("trailer %v", res.trailer)
		}
	})
}

func TestInterimResponses(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>")
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusProcessing)
		w.Header().Del("Link")
		io.Copy(w, r.Body)
	}
	onServers(t, handler, func(t *testing.T, s *server) {
		var got []string
		trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, header textproto.MIMEHeader) error {
			got = append(got, fmt.Sprint(code, header.Get("Link")))
			return nil
		}}
		req, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodPost, s.URL, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		res := s.roundTrip(t, req)
		if diff := cmp.Diff([]string{"103</style.css>", "102</style.css>"}, got); diff != "" || res.body != "x" || res.header.Get("Link") != "" {
			t.Errorf("body %q, header %v, interim (-want +got):\n%s", res.body, res.header, diff)
		}
	})
}

func TestExpectContinue(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Expect") != "" {
			t.Error("the handler sees what is not for it")
		}
		if r.URL.Path == "/read" {
			io.Copy(w, r.Body)
		} else {
			w.WriteHeader(http.StatusForbidden)
		}
	}
	onServers(t, handler, func(t *testing.T, s *server) {
		for path, want := range map[string]string{"/read": "100", "/refuse": ""} {
			asked := ""
			trace := &httptrace.ClientTrace{Got100Continue: func() { asked = "100" }}
			req, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodPost, s.URL+path, strings.NewReader("x"))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Expect", "100-continue")
			if s.roundTrip(t, req); asked != want {
				t.Errorf("%s: %q came before the response, want %q", path, asked, want)
			}
		}
	})
}

// TestFullDuplex answers each line before the next is sent.
func TestFullDuplex(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if err := control.EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		line := make([]byte, 5)
		for {
			if _, err := io.ReadFull(r.Body, line); err != nil {
				return
			}
			w.Write(line)
			if err := control.Flush(); err != nil {
				t.Error(err)
			}
		}
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		body, send := io.Pipe()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, body)
		if err != nil {
			t.Fatal(err)
		}
		go io.WriteString(send, "hello")
		res, err := s.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		line := make([]byte, 5)
		for i := range 20 {
			if _, err := io.ReadFull(res.Body, line); err != nil || string(line) != "hello" {
				t.Fatalf("line %d: %q, %v", i, line, err)
			}
			go io.WriteString(send, "hello")
		}
		io.ReadFull(res.Body, line)
		send.Close()
		if rest, err := io.ReadAll(res.Body); err != nil || len(rest) > 0 {
			t.Errorf("at the end: %q, %v", rest, err)
		}
	})
}

func TestCancel(t *testing.T) {
	ended := make(chan error, 1)
	handler := func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		_, err := io.ReadAll(r.Body)
		ended <- err
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		body, send := io.Pipe()
		defer send.Close()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, body)
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		cancel()
		body.Close() // else net/http's client waits for it
		select {
		case err := <-ended:
			if err == nil {
				t.Error("the body of a request that was given up ended well")
			}
		case <-time.After(patience):
			t.Error("the handler has not learned of the reset")
		}
	})
}

func TestContextEndsWithTheHandler(t *testing.T) {
	contexts := make(chan context.Context, 1)
	handler := func(_ http.ResponseWriter, r *http.Request) {
		if r.Context().Err() != nil {
			t.Error("the context has ended before the handler")
		}
		contexts <- r.Context()
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		s.do(t, "GET", "/", nil)
		select {
		case <-(<-contexts).Done():
		case <-time.After(patience):
			t.Error("the context goes on after the handler")
		}
	})
}

func TestDeadlines(t *testing.T) {
	errs := make(chan error, 1)
	handler := func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.URL.Path == "/write" {
			if err := control.SetWriteDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
				t.Error(err)
			}
			var err error
			for err == nil {
				_, err = w.Write(make([]byte, 1<<16))
			}
			errs <- err
			return
		}
		for _, at := range []time.Time{time.Now().Add(time.Millisecond), {}, time.Now().Add(20 * time.Millisecond)} {
			if err := control.SetReadDeadline(at); err != nil {
				t.Error(err)
			}
		}
		_, err := r.Body.Read(make([]byte, 1))
		errs <- err
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		body, send := io.Pipe()
		res, err := s.Client().Post(s.URL+"/read", "", body)
		if err != nil {
			t.Fatal(err)
		}
		send.Close()
		res.Body.Close()
		if err := <-errs; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read: %v, want that the deadline has passed", err)
		}
		res, err = s.Client().Get(s.URL + "/write")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err := <-errs; err == nil {
			t.Error("a write after its deadline went well")
		}
		if _, err := io.ReadAll(res.Body); err == nil {
			t.Error("a response that was cut ended well")
		}
	})
}

func TestPanics(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half of it")
		http.NewResponseController(w).Flush()
		if r.URL.Path == "/abort" {
			panic(http.ErrAbortHandler)
		}
		panic("for private eyes")
	}
	onAll(t, handler, func(t *testing.T, s *server) {
		for path, logged := range map[string]bool{"/abort": false, "/panic": true} {
			res, err := s.Client().Get(s.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(res.Body); err == nil {
				t.Errorf("%s: a response that was cut short ended well: %q", path, text)
			}
			res.Body.Close()
			if path == "/panic" {
				wantSoon(t, "the log tells of the panic", func() bool { return strings.Contains(s.log.String(), "private eyes") == logged })
			} else if strings.Contains(s.log.String(), "abort") {
				t.Errorf("%s: logged %s", path, s.log)
			}
		}
	})
}

func wantSoon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%s: not so after %v", what, patience)
			return
		}
	}
}

func TestBodyAfterClose(t *testing.T) {
	handler := func(_ http.ResponseWriter, r *http.Request) {
		r.Body.Close()
		if n, err := r.Body.Read(make([]byte, 1)); n > 0 || err == nil {
			t.Errorf("read %d bytes of a closed body, %v", n, err)
		}
	}
	onAll(t, handler, func(t *testing.T, s *server) { s.do(t, "POST", "/", strings.NewReader("x")) })
}
