package connectgo

import (
	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectinprocess"

	"example.com/greet/gen/greet/v1/greetv1connect"
	"example.com/greet/internal/stack"
)

// inProcess is connect-go without HTTP: the library dispatches between the two generated ends, and
// copies each message so that they do not share it.
func inProcess() stack.Stack {
	return stack.Stack{
		Name:      stack.Name{Library: Library, Protocol: stack.Call, Transport: stack.InProcess},
		Language:  "go",
		Libraries: []string{stack.ModuleVersion("connectrpc.com/connect/v2")},
		Dial: func(string, stack.DialOptions) (stack.Client, error) {
			server := connect.NewServer()
			greetv1connect.RegisterGreetServiceHandler(server, service{})
			rpc := connect.NewClient(connectinprocess.New(server))
			return local{&client{rpc: greetv1connect.NewGreetServiceClient(rpc)}}, nil
		},
	}
}

// local is a client that has no connections.
type local struct{ *client }

func (local) Connections() int64 { return 0 }
func (local) Close() error       { return nil }
