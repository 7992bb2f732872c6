// Package page is what the demo server shows to browsers: a page that calls the service
// as a web program does, and shows the bytes.
//
// It owns the page and what it is made of. static/page.js is built from src by "make
// page"; it is checked in, so that a server is built without Node. The package knows no
// RPC library: the calls are made in the browser.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed static
var files embed.FS

// policy lets the page load and call what comes from the same server, and nothing else.
// Its icon is an empty data: URL, lest browsers ask for one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler answers browsers at / with the page and at /page/ with its files, and leaves
// all else to next: at / too whoever does not ask for HTML, such as curl.
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
	w.Header().Set("Cache-Control", "no-cache") // another version of the server has another page
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.ServeFileFS(w, r, files, "static/"+name)
}
