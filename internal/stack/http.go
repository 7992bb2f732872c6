package stack

import "example.com/greet/internal/listen"

// HTTP returns the options for a library on net/http that serves a stack of this name. They allow
// only the version of HTTP in the name: a client with another version is refused, so that nobody
// measures it by mistake.
func (n Name) HTTP(o ServeOptions) listen.Options {
	http := listen.Options{
		HTTP1:     n.Transport == H1,
		HTTP2:     n.Transport == H2C || n.Transport == H2,
		HTTP3:     n.Transport == H3,
		FastHTTP2: o.FastHTTP2 || n.Has(FastHTTP2) || n.Has(FastHTTP2Server),
		Streams:   o.Streams,
		CallLimit: o.CallLimit,
		Drain:     o.Drain,
		// A server under measurement has one client, and that is no attacker.
		Unguarded: o.Demo == nil,
	}
	if n.Secure() {
		http.TLS = o.TLS
	}
	if o.Demo != nil {
		http.Log = o.Demo.Log
	}
	return http
}

// AllHTTP returns the options for a library on net/http that serves every version on one address:
// HTTP/1.1 and HTTP/2, and with o.TLS HTTP/3 as well.
func AllHTTP(o ServeOptions) listen.Options {
	http := Name{}.HTTP(o)
	http.HTTP1, http.HTTP2, http.HTTP3 = true, true, o.TLS != nil
	http.TLS = o.TLS
	return http
}
