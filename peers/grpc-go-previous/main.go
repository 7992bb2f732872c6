// Command server serves greet.v1 with the release of grpc-go that go.mod pins, as a
// server that the benchmark starts: it prints where it listens, drains on SIGTERM,
// and ends with its standard input. It knows nothing of what it is compared with.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"

	greetv1 "example.com/greet/peers/grpc-go-previous/gen/greet/v1"
)

const (
	// maxMessageBytes is the largest message that any server here takes or sends.
	maxMessageBytes = 4 << 20
	// drainLimit is how long calls in flight may go on after SIGTERM.
	drainLimit = 2 * time.Second
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	libraries := flag.Bool("libraries", false, "print the libraries with their versions, and serve nothing")
	flag.Parse()
	if *libraries {
		printLibraries(os.Stdout)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() { // whoever started this process is gone when its standard input ends
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	if err := run(ctx, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done, then drains.
func run(ctx context.Context, addr string) error {
	tcp, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	listener := &counted{Listener: tcp}
	if err := answerControl(&listener.accepted); err != nil {
		return fmt.Errorf("open control socket: %w", err)
	}
	server := grpc.NewServer(limits()...)
	greetv1.RegisterGreetServiceServer(server, greeter{})
	context.AfterFunc(ctx, func() {
		time.AfterFunc(drainLimit, server.Stop)
		server.GracefulStop()
	})
	fmt.Printf("listening %s\n", listener.Addr())
	// One that is told to stop before it begins to serve has not failed.
	if err := server.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// limits are those of the grpc-go stack in the root module, which says why.
func limits() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxConcurrentStreams(100),
		grpc.MaxRecvMsgSize(maxMessageBytes),
		grpc.MaxSendMsgSize(maxMessageBytes),
		grpc.MaxHeaderListSize(64 << 10),
		grpc.ConnectionTimeout(5 * time.Second),
		grpc.WaitForHandlers(true),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			MinTime:             10 * time.Second,
			PermitWithoutStream: true,
		}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time:    30 * time.Second,
			Timeout: 15 * time.Second,
		}),
	}
}

// printLibraries prints what this binary was linked with.
func printLibraries(w io.Writer) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return
	}
	for _, module := range info.Deps {
		if module.Path == "google.golang.org/grpc" || module.Path == "google.golang.org/protobuf" {
			fmt.Fprintln(w, module.Path, module.Version)
		}
	}
}

// counted is a listener that counts the connections that it accepts.
type counted struct {
	net.Listener
	accepted atomic.Int64
}

func (c *counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.accepted.Add(1)
	}
	return conn, err
}
