//go:build clients

package conformance_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/interop"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/grpcgo"
)

// interopPatience bounds a case, and one call of those that make many.
const interopPatience = time.Minute

// interopCase calls the server at addr by a connection that dial makes. It ends the
// process with an error where the server is wrong, as grpc-go's own does.
type interopCase func(ctx context.Context, conn *grpc.ClientConn, addr string, dial dialGRPCFunc)

// dialGRPCFunc makes a connection.
type dialGRPCFunc func(addr string) (*grpc.ClientConn, error)

// interopCases are those of grpc-go's interop client that need no credentials, but for
// three that ask a server for its load or its name, which grpc-go's own does not say.
var interopCases = map[string]interopCase{
	"empty_unary":                 onService(interop.DoEmptyUnaryCall),
	"large_unary":                 onService(interop.DoLargeUnaryCall),
	"client_streaming":            onService(interop.DoClientStreaming),
	"server_streaming":            onService(interop.DoServerStreaming),
	"ping_pong":                   onService(interop.DoPingPong),
	"empty_stream":                onService(interop.DoEmptyStream),
	"timeout_on_sleeping_server":  onService(interop.DoTimeoutOnSleepingServer),
	"cancel_after_begin":          onService(interop.DoCancelAfterBegin),
	"cancel_after_first_response": onService(interop.DoCancelAfterFirstResponse),
	"status_code_and_message":     onService(interop.DoStatusCodeAndMessage),
	"special_status_message":      onService(interop.DoSpecialStatusMessage),
	"custom_metadata":             onService(interop.DoCustomMetadata),
	"unimplemented_method": func(ctx context.Context, conn *grpc.ClientConn, _ string, _ dialGRPCFunc) {
		interop.DoUnimplementedMethod(ctx, conn)
	},
	"unimplemented_service": func(ctx context.Context, conn *grpc.ClientConn, _ string, _ dialGRPCFunc) {
		interop.DoUnimplementedService(ctx, testgrpc.NewUnimplementedServiceClient(conn))
	},
	"rpc_soak": func(ctx context.Context, conn *grpc.ClientConn, addr string, _ dialGRPCFunc) {
		soak(ctx, addr, func() (*grpc.ClientConn, func()) { return conn, func() {} })
	},
	"channel_soak": func(ctx context.Context, _ *grpc.ClientConn, addr string, dial dialGRPCFunc) {
		soak(ctx, addr, func() (*grpc.ClientConn, func()) {
			conn, err := dial(addr)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return conn, func() { conn.Close() }
		})
	},
}

// onService is a case that calls the service that there is.
func onService(do func(context.Context, testgrpc.TestServiceClient, ...grpc.CallOption)) interopCase {
	return func(ctx context.Context, conn *grpc.ClientConn, _ string, _ dialGRPCFunc) {
		do(ctx, testgrpc.NewTestServiceClient(conn))
	}
}

// soak makes large calls, each by the connection that it is given for it.
func soak(ctx context.Context, addr string, connection func() (*grpc.ClientConn, func())) {
	interop.DoSoakTest(ctx, interop.SoakTestConfig{
		RequestSize: 271_828, ResponseSize: 314_159,
		PerIterationMaxAcceptableLatency: interopPatience, OverallTimeout: interopPatience,
		ServerAddr: addr, NumWorkers: 2, Iterations: 20, ChannelForTest: connection,
	})
}

// interopClients are the ways to make a connection: ours, and grpc-go's own.
var interopClients = map[string]dialGRPCFunc{
	"ours": func(addr string) (*grpc.ClientConn, error) {
		rpc, err := grpcgo.DialRPC(addr, stack.DialOptions{})
		return rpc.ClientConn, err
	},
	"grpc-go's": func(addr string) (*grpc.ClientConn, error) {
		return grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	},
}

// interopServers likewise make a server.
var interopServers = map[string]serveFunc{
	"ours": func(ctx context.Context, socket listen.Socket, o stack.ServeOptions) error {
		o.TLS = nil
		server := grpcgo.NewServerOf(greetv1.UnimplementedGreetServiceServer{}, o)
		testgrpc.RegisterTestServiceServer(server, interop.NewTestServer())
		return server.Run(ctx, socket)
	},
	"grpc-go's": func(ctx context.Context, socket listen.Socket, _ stack.ServeOptions) error {
		server := grpc.NewServer()
		testgrpc.RegisterTestServiceServer(server, interop.NewTestServer())
		defer context.AfterFunc(ctx, server.Stop)()
		return server.Serve(socket.TCP)
	},
}

// interopClient is a program that runs the case that it reads.
func interopClient(ctx context.Context, in io.Reader, dial dialGRPCFunc) error {
	var name, addr string
	if _, err := fmt.Fscan(in, &name, &addr); err != nil {
		return fmt.Errorf("read which case to run: %w", err)
	}
	conn, err := dial(addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, interopPatience)
	defer cancel()
	interopCases[name](ctx, conn, addr, dial)
	return nil
}

// TestInterop runs gRPC's interop cases with our client against grpc-go's server, and
// with grpc-go's client against ours. What they send and expect is grpc-go's. A client is
// a process of its own, since a case that fails ends it.
//
//	make interop
func TestInterop(t *testing.T) {
	for _, pair := range []struct{ client, server string }{{"ours", "grpc-go's"}, {"grpc-go's", "ours"}} {
		t.Run(pair.client+" against "+pair.server, func(t *testing.T) {
			addr, _ := serveInTest(t, interopServers[pair.server])
			for name := range interopCases {
				t.Run(name, func(t *testing.T) {
					cmd := exec.CommandContext(t.Context(), os.Args[0])
					cmd.Env = append(os.Environ(), asProgram+"=interop "+pair.client)
					cmd.Stdin = strings.NewReader(name + " " + addr)
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		})
	}
}
