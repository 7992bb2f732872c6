package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// tapped is how many bytes of a client's beginning are kept: its settings and the header of its
// first request are less.
const tapped = 64 << 10

// tap stands between a client and a server, and keeps the beginning of what the
// client sends over its first connection.
type tap struct {
	listener   net.Listener
	server     string
	accepting  sync.WaitGroup
	forwarding sync.WaitGroup
	conns      []net.Conn // of accept, while it runs
	sent       beginning
}

// listenBefore starts a tap before the server at addr. The caller closes it.
func listenBefore(ctx context.Context, addr string) (*tap, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen before %s: %w", addr, err)
	}
	t := &tap{listener: listener, server: addr}
	t.accepting.Go(func() { t.accept(ctx) })
	return t, nil
}

// Addr is where the client is to call.
func (t *tap) Addr() string { return t.listener.Addr().String() }

func (t *tap) accept(ctx context.Context) {
	var keep io.Writer = &t.sent
	for {
		client, err := t.listener.Accept()
		if err != nil {
			return
		}
		server, err := new(net.Dialer).DialContext(ctx, "tcp", t.server)
		if err != nil {
			client.Close()
			continue
		}
		t.forward(client, server, keep)
		keep = io.Discard
	}
}

func (t *tap) forward(client, server net.Conn, keep io.Writer) {
	t.conns = append(t.conns, client, server)
	t.forwarding.Go(func() {
		_, _ = io.Copy(server, io.TeeReader(client, keep))
		server.Close()
	})
	t.forwarding.Go(func() {
		_, _ = io.Copy(client, server)
		client.Close()
	})
}

// Close ends all connections, and returns the client's opening.
func (t *tap) Close() (opening, error) {
	t.listener.Close()
	t.accepting.Wait()
	for _, conn := range t.conns {
		conn.Close()
	}
	t.forwarding.Wait()
	if len(t.sent) == 0 {
		return opening{}, errors.New("tap a client: it has said nothing")
	}
	return readOpening(t.sent)
}

// beginning keeps the first bytes that are written to it, and drops the rest.
type beginning []byte

// Write never fails.
func (b *beginning) Write(p []byte) (int, error) {
	*b = append(*b, p[:min(len(p), tapped-len(*b))]...)
	return len(p), nil
}
