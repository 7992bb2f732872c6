package bare

import (
	"context"
	"runtime"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// Library is the first part of the names of this package's stacks.
const Library = "bare"

// Stacks lists the rungs, from the socket down.
func Stacks() []stack.Stack { return []stack.Stack{overTCP(), inProcess()} }

func overTCP() stack.Stack {
	return stack.Stack{
		Name:      stack.Name{Library: Library, Protocol: stack.Bytes, Transport: stack.TCP},
		Language:  "go",
		Libraries: []string{"net " + runtime.Version()},
		Serve:     serve,
		Dial: func(addr string, _ stack.DialOptions) (stack.Client, error) {
			return newClient(addr), nil
		},
	}
}

func inProcess() stack.Stack {
	return stack.Stack{
		Name:      stack.Name{Library: Library, Protocol: stack.Call, Transport: stack.InProcess},
		Language:  "go",
		Libraries: []string{stack.ModuleVersion("google.golang.org/protobuf")},
		Refuses:   unaryAlone(),
		Dial: func(string, stack.DialOptions) (stack.Client, error) {
			return handler{}, nil
		},
	}
}

func unaryAlone() map[greet.Mode]string {
	refused := make(map[greet.Mode]string)
	for _, m := range greet.Modes {
		if m != greet.Unary {
			refused[m] = "it is there to measure one small call against; use floor, grpc-go or connect-go"
		}
	}
	return refused
}

// handler calls the service as a function.
type handler struct{ unary }

func (handler) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	return greet.Greet(req), nil
}

func (handler) Connections() int64 { return 0 }
func (handler) Close() error       { return nil }

// unary refuses the modes that stream.
type unary struct{}

func (unary) GreetStream(context.Context, *greetv1.GreetStreamRequest) (stack.GreetStream, error) {
	return nil, refuse(greet.ServerStream)
}

func (unary) GreetCount(context.Context) (stack.GreetCount, error) {
	return nil, refuse(greet.ClientStream)
}

func (unary) GreetChat(context.Context) (stack.GreetChat, error) {
	return nil, refuse(greet.Bidi)
}

func refuse(m greet.Mode) error {
	return &greet.Error{Code: greet.CodeUnimplemented, Message: string(m) + ": " + unaryAlone()[m]}
}
