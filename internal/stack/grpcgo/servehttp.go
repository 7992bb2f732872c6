package grpcgo

import (
	"context"

	"example.com/greet/internal/listen"
)

// serveHTTPVariant marks a server whose HTTP/2 is net/http's: the library's own
// ServeHTTP, on which it can share a port with other handlers. The client is the
// same.
const serveHTTPVariant = "servehttp"

// runHTTP is Run on net/http. Limits of connections are then those of
// listen.ServeHTTP; the library's own have no effect.
func (s *Server) runHTTP(ctx context.Context, socket listen.Socket, o listen.Options) error {
	defer s.Stop()
	return listen.ServeHTTP(ctx, socket, s, o)
}
