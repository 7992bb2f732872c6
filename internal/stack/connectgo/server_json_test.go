package connectgo

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/greet/internal/greet"
)

func TestUnknownFieldsAreWarnedOf(t *testing.T) {
	addr, d := serveDemo(t, service{})
	tests := []struct{ request, warning, reply string }{
		{`{"nam":"x"}`, `ignored unknown field "nam"`, `{"greeting":"Hello, !"}`},
		{`{"name":"x"}`, "", `{"greeting":"Hello, x!"}`},
		{`{"naïve":1,"name":"x"}`, `ignored unknown field "na\u00efve"`, `{"greeting":"Hello, x!"}`},
		{`{"name":"x","` + strings.Repeat("n", 1000) + `":1}`, `ignored unknown field "` + strings.Repeat("n", longestWarning-15), `{"greeting":"Hello, x!"}`},
	}
	for _, test := range tests {
		status, header, body := post(t, addr, test.request)
		if got := header.Get(greet.HeaderWarning); status != http.StatusOK || got != test.warning || body != test.reply {
			t.Errorf("%.40s: %d, %q, %s; want %q, %s", test.request, status, got, body, test.warning, test.reply)
		}
	}
	if log := d.log.String(); !strings.Contains(log, "level=WARN") || !strings.Contains(log, "nam") || strings.Count(log, "level=WARN") != 3 {
		t.Errorf("log has not three warnings:\n%s", log)
	}
	for _, wrong := range []string{`{"nam`, `{"name":1}`, ``} {
		if status, _, body := post(t, addr, wrong); status != http.StatusBadRequest || !strings.Contains(body, "invalid_argument") {
			t.Errorf("%q: %d, %s; want 400", wrong, status, body)
		}
	}
}

func post(t *testing.T, addr, request string) (status int, header http.Header, body string) {
	t.Helper()
	return do(t, http.MethodPost, "http://"+addr+"/greet.v1.GreetService/Greet", request)
}

func do(t *testing.T, method, url, request string) (status int, header http.Header, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

// TestDirectory asks for paths that are no method, wrong services and methods too.
func TestDirectory(t *testing.T) {
	addr, _ := serveDemo(t, service{})
	for path, want := range map[string]int{
		"/": http.StatusOK, "/x": http.StatusNotFound, "/greet.v1.GreetService/Gret": http.StatusNotFound, "/greet.v1.Greeter/Greet": http.StatusNotFound,
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if method == http.MethodPost && path == "/greet.v1.GreetService/Gret" {
				continue // an RPC, which gets an RPC's error
			}
			status, header, body := do(t, method, "http://"+addr+path, "{}")
			if status != want || header.Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("%s %s: %d, %s; want %d", method, path, status, header.Get("Content-Type"), want)
			}
			for _, name := range []string{"Greet", "GreetStream", "GreetCount", "GreetChat"} {
				if !strings.Contains(body, "http://"+addr+"/greet.v1.GreetService/"+name) {
					t.Errorf("%s %s: no command for %s", method, path, name)
				}
			}
			if !strings.HasSuffix(body, "In a browser, http://"+addr+"/ is a page that makes these calls and shows their bytes.\n") {
				t.Errorf("%s %s: no word of the page: %s", method, path, body)
			}
			if want == http.StatusNotFound && !strings.HasPrefix(body, "404: there is nothing at "+path+".") {
				t.Errorf("%s %s: %.60s", method, path, body)
			}
		}
	}
}
