package bare

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"example.com/greet/internal/greet"
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
		connections.Go(func() { answer(ctx, conn, o.Drain) })
	}
}

// answer answers one connection, one message at a time, until it ends. What is
// wrong with it is its peer's to know: there is no other way to say it than to
// close.
func answer(ctx context.Context, conn net.Conn, drain time.Duration) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() {
		_ = conn.SetReadDeadline(time.Now())
		_ = conn.SetWriteDeadline(time.Now().Add(drain))
	})()
	// One system call reads a small message, length and all.
	r := bufio.NewReader(conn)
	var name, reply []byte
	var err error
	for {
		if name, err = readMessage(r, name); err != nil {
			return
		}
		reply = appendMessage(reply[:0], greet.Hello(string(name)))
		if _, err = conn.Write(reply); err != nil {
			return
		}
	}
}
