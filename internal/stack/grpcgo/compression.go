package grpcgo

import (
	"google.golang.org/grpc"

	"example.com/greet/internal/stack"
)

// gzipVariant marks a stack that compresses every message, whatever its size, at both ends. By
// default the library compresses nothing.
const gzipVariant = "gzip"

// The library has two ways to compress. These functions use the older one, which is set per
// connection and per server. The newer one, a blank import of encoding/gzip, changes the whole
// process: from then on every client sends grpc-accept-encoding with every call. That costs 27
// bytes in the first header block of a connection, one in later ones, and an allocation on the
// server each time, so that the stack without gzip would pay part of the price. Both use
// compress/gzip; the older way reads a message into a fresh buffer, the newer one takes a buffer
// from a pool.

func clientCompression(n stack.Name) []grpc.DialOption {
	if !n.Has(gzipVariant) {
		return nil
	}
	return []grpc.DialOption{
		grpc.WithCompressor(grpc.NewGZIPCompressor()),     //nolint:staticcheck // see above
		grpc.WithDecompressor(grpc.NewGZIPDecompressor()), //nolint:staticcheck // see above
	}
}

func serverCompression(n stack.Name) []grpc.ServerOption {
	if !n.Has(gzipVariant) {
		return nil
	}
	return []grpc.ServerOption{
		grpc.RPCCompressor(grpc.NewGZIPCompressor()),     //nolint:staticcheck // see above
		grpc.RPCDecompressor(grpc.NewGZIPDecompressor()), //nolint:staticcheck // see above
	}
}
