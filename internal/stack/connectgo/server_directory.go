package connectgo

import (
	_ "embed"
	"net/http"
	"strings"
	"text/template"

	"google.golang.org/protobuf/reflect/protoreflect"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/gen/greet/v1/greetv1connect"
)

//go:embed directory.txt.tmpl
var directoryText string

var directoryTemplate = template.Must(template.New("directory").Parse(directoryText))

// withDirectory answers unknown paths with the directory. An RPC client that misspells a method
// gets an RPC error from next.
func withDirectory(mux *http.ServeMux) http.Handler {
	mux.HandleFunc("/", directory)
	methods := greetv1.File_greet_v1_greet_proto.Services().Get(0).Methods()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method, ok := strings.CutPrefix(r.URL.Path, "/"+greetv1connect.GreetServiceName+"/")
		if ok && r.Method == http.MethodGet && methods.ByName(protoreflect.Name(method)) == nil {
			directory(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// directory lists the methods, with a command for each, for people at / and at unknown paths.
func directory(w http.ResponseWriter, r *http.Request) {
	data := struct{ Path, Server, Flags string }{Path: r.URL.EscapedPath(), Server: "http://" + r.Host}
	if r.TLS != nil {
		data.Server, data.Flags = "https://"+r.Host, " --insecure"
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.URL.Path != "/" {
		w.WriteHeader(http.StatusNotFound)
	}
	_ = directoryTemplate.Execute(w, data) // a client that is gone needs no text
}
