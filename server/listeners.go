package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/page"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// listener is one address with the function that serves it.
type listener struct {
	label  string
	addr   string // as the flag gave it
	udp    bool   // UDP as well as TCP
	serve  func(context.Context, listen.Socket, stack.ServeOptions) error
	socket listen.Socket
}

// listeners are all those of one server. They start and stop together.
type listeners []listener

// listeners lists those that are not off, in the order of their announcement.
func (f flags) listeners() listeners {
	all := listeners{
		{label: "connect", addr: f.Connect, serve: serveConnect},
		{label: "tls", addr: f.TLS, udp: true, serve: serveHTTP},
		{label: "grpc", addr: f.GRPC, serve: serveGRPC},
	}
	return slices.DeleteFunc(all, func(l listener) bool { return l.addr == off })
}

// bind opens every listener's socket. When one fails it leaves none open.
func (ls listeners) bind() error {
	for i, l := range ls {
		socket, err := listen.Bind(l.addr, true, l.udp)
		if err != nil {
			ls[:i].close()
			return fmt.Errorf("--%s: %w", l.label, err)
		}
		ls[i].socket = socket
	}
	return nil
}

func (ls listeners) close() {
	for _, l := range ls {
		_ = l.socket.Close() // an error changes nothing any more
	}
}

// announce writes one line for each listener.
func (ls listeners) announce(w io.Writer) error {
	for _, l := range ls {
		if err := listen.Announce(w, l.label, l.socket.Addr()); err != nil {
			return err
		}
	}
	return nil
}

// serveConnect speaks HTTP/1.1 and h2c.
func serveConnect(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	o.TLS = nil
	return serveHTTP(ctx, socket, o)
}

// serveHTTP speaks HTTP/1.1 and HTTP/2, and with TLS HTTP/3 as well.
func serveHTTP(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	return listen.ServeHTTP(ctx, socket, page.Handler(connectgo.NewHandler(o)), stack.AllHTTP(o))
}

func serveGRPC(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	s, err := grpcgo.New(stack.H2C)
	if err != nil {
		return err
	}
	return s.Serve(ctx, socket, o)
}
