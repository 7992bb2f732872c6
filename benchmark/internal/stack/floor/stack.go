package floor

import (
	"context"
	"errors"
	"fmt"

	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// Library is the first part of the names of this package's stacks.
const Library = "floor"

// Stacks lists the stacks that are measured.
func Stacks() []stack.Stack {
	return []stack.Stack{{
		Name:     stack.Name{Library: Library, Protocol: stack.GRPC, Transport: stack.H2C},
		Language: "go",
		Libraries: []string{
			stack.ModuleVersion("golang.org/x/net"),
			stack.ModuleVersion("google.golang.org/protobuf"),
		},
		Demo:  true,
		Serve: Serve,
		Dial:  Dial,
	}}
}

// Serve answers gRPC calls over HTTP/2 without TLS on socket.TCP until ctx is
// done, then drains. The error is a *listen.CutError if calls had to be cut.
func Serve(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
	if socket.TCP == nil {
		return fmt.Errorf("serve floor: %w", errNoTCP)
	}
	return newServer(o).run(ctx, socket.TCP)
}

var errNoTCP = errors.New("HTTP/2 needs a TCP socket")
