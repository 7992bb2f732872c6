package grpcgo

import (
	"google.golang.org/grpc"

	"example.com/greet/internal/stack"
)

// gzipVariant marks a stack that compresses every message, whatever its size, at both
// ends. The library compresses nothing unless it is asked to.
const gzipVariant = "gzip"

// Of the library's two ways to compress, these functions take the older one,
// which is set per connection and per server. The newer one, a blank import of
// encoding/gzip, changes the whole process: from then on every client in it sends
// grpc-accept-encoding with every call, 27 bytes in the first header block of a
// connection, one in later ones, and an allocation on the server each time, so
// that the stack without gzip would be measured with part of its price. The two
// share compress/gzip; the older one reads a message into a fresh buffer where the
// newer one takes it from a pool.

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
