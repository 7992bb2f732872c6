package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/stack/catalog"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/grpcgo"
)

// refusing names the server that answers every call with UNIMPLEMENTED, as one does
// that has another version of the schema.
const refusing = "refusing/grpc/h2c"

// serveCommand is the server side of the process contract.
type serveCommand struct {
	Stack string `arg:""`
}

// Run serves until the context or standard input ends.
func (c serveCommand) Run(ctx context.Context, out output) error {
	serve, err := c.server()
	if err != nil {
		return err
	}
	socket, err := listen.Bind("127.0.0.1:0", true, false)
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
	return serve(process.UntilStdinEnds(ctx, os.Stdin), listen.Counted(socket, &accepted))
}

func (c serveCommand) server() (func(context.Context, listen.Socket) error, error) {
	if c.Stack == refusing {
		return grpcgo.NewServerOf(greetv1.UnimplementedGreetServiceServer{}, stack.ServeOptions{}).Run, nil
	}
	s, err := catalog.Find(c.Stack)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, socket listen.Socket) error {
		return s.Serve(ctx, socket, stack.ServeOptions{})
	}, nil
}
