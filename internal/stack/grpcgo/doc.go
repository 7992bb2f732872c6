// Package grpcgo makes stacks of google.golang.org/grpc: a server and a client
// of greet.v1 that speak gRPC over HTTP/2, with or without TLS.
//
// It owns the library's options, and the translation of errors and metadata
// between the library's terms and those of internal/greet and internal/stack.
// What the service means is in internal/greet; addresses, certificates and
// signals are its callers'.
package grpcgo
