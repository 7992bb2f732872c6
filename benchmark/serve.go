package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// drainLimit is how long a measured server waits for calls in flight. There are
// none when a run ends in order.
const drainLimit = 2 * time.Second

// serveCommand is the server side of the process contract for our own stacks.
type serveCommand struct {
	Stack string `required:""`
	Addr  string `default:"127.0.0.1:0"`
	Cert  string
	Key   string
}

// Run serves until the context or standard input ends.
func (c serveCommand) Run(ctx context.Context, out output) error {
	s, err := catalog.Find(c.Stack)
	if err != nil {
		return usageError{err}
	}
	config, err := c.tls(s.Name)
	if err != nil {
		return err
	}
	if workers := s.Name.Workers(); workers > 0 {
		runtime.GOMAXPROCS(workers)
	}
	socket, err := listen.Bind(c.Addr, s.Name.Transport != stack.H3, s.Name.Transport == stack.H3)
	if err != nil {
		return err
	}
	defer socket.Close()
	var accepted atomic.Int64
	if err := process.AnswerControl(accepted.Load); err != nil {
		return fmt.Errorf("open control socket: %w", err)
	}
	if err := listen.Announce(out.data, "", socket.Addr()); err != nil {
		return err
	}
	ctx = process.UntilStdinEnds(ctx, os.Stdin)
	return s.Serve(ctx, listen.Counted(socket, &accepted), stack.ServeOptions{TLS: config, Drain: drainLimit})
}

func (c serveCommand) tls(n stack.Name) (*tls.Config, error) {
	if !n.Secure() {
		return nil, nil
	}
	cert, err := listen.LoadCertificate(c.Cert, c.Key)
	if err != nil {
		return nil, err
	}
	return listen.ServerTLS(cert), nil
}
