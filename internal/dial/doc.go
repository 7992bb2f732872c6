// Package dial makes HTTP clients for RPC libraries that use net/http or quic-go.
//
// It owns how connections are opened, pooled, counted and closed, for each of HTTP/1.1, HTTP/2
// without and with TLS, and HTTP/3. It takes the names of the transports from package stack; it
// knows nothing of procedures, messages or codecs.
package dial
