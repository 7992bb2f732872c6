package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/stack/catalog"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// drainLimit is how long a measured server waits for calls in flight. A run that ends normally has
// none.
const drainLimit = 2 * time.Second

// serveCommand is the server side of the process contract for our own stacks. It also starts
// servers of peers.
type serveCommand struct {
	Stack   string `required:"" placeholder:"NAME" help:"Stack to serve, of Go or of a peer that is built; benchmark stacks lists them."`
	Addr    string `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Address to listen on. Only this machine reaches a loopback address; :9000 means all of them."`
	Cert    string `placeholder:"FILE" help:"Certificate of a stack over TLS; one is made if it is not given."`
	Key     string `placeholder:"FILE" help:"The key to it."`
	Figures string `placeholder:"HOST:PORT" help:"Also report at this address what the server uses (processor time, allocations, connections), to clients that know the token."`
	Token   string `env:"GREET_TOKEN" placeholder:"TEXT" help:"The token. As a variable, no list of processes shows it."`

	UntilStdinEnds bool `hidden:"" help:"End with standard input, so that no server outlives the run that started it."`
}

// Help is what `benchmark serve --help` says beside the flags.
func (serveCommand) Help() string {
	return `Prints "listening HOST:PORT" once it serves; SIGTERM or Ctrl-C ends it. Measure it from another machine:
  benchmark run --target NAME=HOST:PORT --target-figures NAME=HOST:PORT`
}

// Run serves until the context ends or, if that was asked for, standard input.
func (c serveCommand) Run(ctx context.Context, out output) error {
	if (c.Cert == "") != (c.Key == "") {
		return usageError{errors.New("--cert and --key belong together")}
	}
	if c.Figures != "" && c.Token == "" {
		return usageError{errors.New("--figures answers only clients that know a token: it needs --token or GREET_TOKEN")}
	}
	if c.UntilStdinEnds {
		ctx = process.UntilStdinEnds(ctx, os.Stdin)
	}
	s, err := catalog.Find(c.Stack)
	if err == nil {
		return c.serveOwn(ctx, out, s)
	}
	if peers, findErr := plan.FindPeers(); findErr == nil {
		for _, p := range peers {
			if p.Name.String() == c.Stack {
				return c.servePeer(ctx, out, p)
			}
		}
	}
	return usageError{err}
}

// serveOwn serves a stack of Go in this process.
func (c serveCommand) serveOwn(ctx context.Context, out output, s stack.Stack) error {
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
	stopTelling, err := c.tell(ctx, func() (process.Stats, error) {
		stats := process.Own()
		stats.Accepted = accepted.Load()
		return stats, nil
	})
	if err != nil {
		return err
	}
	defer stopTelling()
	if err := listen.Announce(out.data, "", socket.Addr()); err != nil {
		return err
	}
	return s.Serve(ctx, listen.Counted(socket, &accepted), stack.ServeOptions{TLS: config, Drain: drainLimit})
}

// tell answers requests for the server's figures, if the flags ask for it, until stop is called.
func (c serveCommand) tell(ctx context.Context, stats func() (process.Stats, error)) (stop func(), err error) {
	if c.Figures == "" {
		return func() {}, nil
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", c.Figures)
	if err != nil {
		return nil, fmt.Errorf("tell figures: %w", err)
	}
	go process.ServeFigures(listener, c.Token, stats)
	return func() { _ = listener.Close() }, nil
}

func (c serveCommand) tls(n stack.Name) (*tls.Config, error) {
	if !n.Secure() {
		return nil, nil
	}
	cert, err := c.certificate()
	if err != nil {
		return nil, err
	}
	return listen.ServerTLS(cert), nil
}

// certificate returns the given certificate, or makes one.
func (c serveCommand) certificate() (tls.Certificate, error) {
	if c.Cert == "" {
		return listen.SelfSigned()
	}
	return listen.LoadCertificate(c.Cert, c.Key)
}
