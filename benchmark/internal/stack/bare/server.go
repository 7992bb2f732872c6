package bare

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

var errNoTCP = errors.New("bytes need a TCP socket")

// serve answers messages on socket.TCP until ctx is done. Then it takes no more,
// and returns when what it was about to answer is answered.
func serve(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	if socket.TCP == nil {
		return fmt.Errorf("serve bytes: %w", errNoTCP)
	}
	defer context.AfterFunc(ctx, func() { _ = socket.TCP.Close() })()
	var connections sync.WaitGroup
	defer connections.Wait()
	for {
		conn, err := socket.TCP.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("serve bytes on %s: %w", socket.TCP.Addr(), err)
		}
		connections.Go(func() { serveConn(ctx, conn, o.Drain) })
	}
}

// serveConn serves one connection until it ends. What is wrong with it is its peer's to
// know: there is no other way to say it than to close.
func serveConn(ctx context.Context, conn net.Conn, drain time.Duration) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() {
		_ = conn.SetReadDeadline(time.Now())
		_ = conn.SetWriteDeadline(time.Now().Add(drain))
	})()
	_ = newServerConn(conn).serve()
}
