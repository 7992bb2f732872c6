package grpcgo

import (
	"context"

	"example.com/greet/internal/listen"
)

// serveHTTPVariant marks a server on net/http's HTTP/2. It uses the library's own ServeHTTP, which
// can share a port with other handlers. The client is the same.
const serveHTTPVariant = "servehttp"

// runHTTP is Run on net/http. The limits of connections are then those of listen.ServeHTTP; the
// library's own have no effect.
func (s *Server) runHTTP(ctx context.Context, socket listen.Socket, o listen.Options) error {
	defer s.Stop()
	return listen.ServeHTTP(ctx, socket, s, o)
}
