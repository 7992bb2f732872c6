// Package page has the page that the demo server shows to browsers. The page calls the service as a
// web program does, and shows the bytes.
//
// The package owns the page and its parts. "make page" builds static/page.js from src; it is
// checked in, so that building a server needs no Node. The package knows no RPC library: the
// browser makes the calls.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed static
var files embed.FS

// policy lets the page load and call the same server and nothing else. The icon is an empty data:
// URL, so that browsers do not ask for one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the page at / to browsers, and its files at /page/. It passes all other requests
// to next, also those at / that do not ask for HTML, such as curl's.
func Handler(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		serve(w, r, "index.html")
	})
	mux.HandleFunc("GET /page/{file}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		if _, err := fs.Stat(files, "static/"+name); err != nil {
			next.ServeHTTP(w, r)
			return
		}
		serve(w, r, name)
	})
	return mux
}

func serve(w http.ResponseWriter, r *http.Request, name string) {
	w.Header().Set("Cache-Control", "no-cache") // a newer server may have a newer page
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.ServeFileFS(w, r, files, "static/"+name)
}
