// Package wire shows what a client's connections carry: HTTP/1.1, HTTP/2 with and
// without TLS, QUIC and HTTP/3, and inside them Connect, gRPC and gRPC-Web.
//
// It owns the copying of bytes, their decoding into a Timeline, and how a Timeline
// is printed. It never changes what is sent: a Recorder keeps copies, and decodes
// them only after a call. It knows no RPC library.
package wire
