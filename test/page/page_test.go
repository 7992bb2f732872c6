// Package page_test uses the server's page as people do, in a browser.
package page_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/greet/test/built"
)

var update = flag.Bool("update", false, "write the diagrams anew")

func TestMain(m *testing.M) { built.Main(m) }

// TestPageInChromium opens the page over each version of HTTP; what is checked is in
// tools/playwright/page.mjs.
func TestPageInChromium(t *testing.T) {
	cert := filepath.Join(t.TempDir(), "cert.pem")
	addr := built.Serve(t, built.Command(t.Context(), t, "server", "--connect", ":0", "--tls", ":0", "--grpc", "off", "--cert-out", cert), "connect", "tls")
	built.InChromium(t, "page.mjs", addr["connect"], addr["tls"], cert)
}

// TestPageIsForBrowsers wants the text for all others, and next's answer for unknown
// files.
func TestPageIsForBrowsers(t *testing.T) {
	addr := built.Serve(t, built.Command(t.Context(), t, "server", "--connect", ":0", "--tls", "off", "--grpc", "off"), "connect")
	for _, test := range []struct {
		path, accept, kind string
		status             int
	}{
		{"/", "text/html,application/xhtml+xml", "text/html; charset=utf-8", 200},
		{"/", "*/*", "text/plain; charset=utf-8", 200},
		{"/page/page.js", "*/*", "text/javascript; charset=utf-8", 200},
		{"/page/nothing", "text/html", "text/plain; charset=utf-8", 404},
		{"/nothing", "text/html", "text/plain; charset=utf-8", 404},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr["connect"]+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", test.accept)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if kind := res.Header.Get("Content-Type"); res.StatusCode != test.status || kind != test.kind {
			t.Errorf("%s for %s: got %d and %s, want %d and %s", test.path, test.accept, res.StatusCode, kind, test.status, test.kind)
		}
		if test.path == "/" && !slices.Contains(res.Header.Values("Vary"), "Accept") {
			t.Errorf("%s for %s: Vary %q lacks Accept", test.path, test.accept, res.Header.Values("Vary"))
		}
	}
}

var (
	// varying is what differs from run to run: times, lengths of compressed headers.
	varying = regexp.MustCompile(`\d[\d.,]*`)
	// aside are the steps that come when they come.
	aside = regexp.MustCompile(`<strong>(SETTINGS|WINDOW_UPDATE|PING|\[client\])`)
	// closing is there if something came after the last call.
	closing = regexp.MustCompile(`(?s)<section>\n<h2>after the last call.*?</section>\n`)
)

// steps are the steps of a page of --wire=html in an order that does not differ.
func steps(page string) []string {
	var kept []string
	for line := range strings.SplitSeq(page, "\n") {
		if aside.MatchString(line) {
			continue
		}
		line = strings.ReplaceAll(varying.ReplaceAllString(line, "0"), "</dl></details></li>", "")
		kept = append(kept, strings.Split(line, "<dd>")...) // header fields come from a map
	}
	slices.Sort(kept)
	return kept
}

// TestDiagramsAreFresh compares the page's diagrams with what the client draws now.
func TestDiagramsAreFresh(t *testing.T) {
	addr := built.Serve(t, built.Command(t.Context(), t, "server", "--connect", ":0", "--tls", "off", "--grpc", "off"), "connect")["connect"]
	for _, protocol := range []string{"connect", "grpc", "grpcweb"} {
		fresh, log, status := built.Run(t, "client", "--protocol", protocol, "--addr", addr, "--wire=html")
		if status != 0 {
			t.Fatalf("client: status %d, %s", status, log)
		}
		fresh = closing.ReplaceAllString(strings.ReplaceAll(fresh, addr, "127.0.0.1:8080"), "")
		file := filepath.Join("internal", "page", "static", "wire-"+protocol+".html")
		if *update {
			if err := os.WriteFile(file, []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(steps(string(kept)), steps(fresh)); diff != "" {
			t.Errorf("%s is stale (-kept +fresh); write it with go test -run TestDiagramsAreFresh ./test/page -update\n%s", file, diff)
		}
	}
}
