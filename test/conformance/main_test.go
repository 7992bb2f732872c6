//go:build clients

// Package conformance_test holds the servers and clients of this repository to the
// conformance suite of Connect (https://github.com/connectrpc/conformance), which tests
// the protocols Connect, gRPC and gRPC-Web: the suite's program calls our servers, and
// our clients call its server. They are made by the constructors that the demo uses.
package conformance_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"google.golang.org/protobuf/proto"

	"example.com/greet/test/built"
)

// asProgram makes this test binary be one of programs, which the suite starts.
const asProgram = "GREET_TEST_AS_PROGRAM"

var programs = map[string]func(ctx context.Context, in io.Reader, out io.Writer) error{
	"connect-go server": func(ctx context.Context, in io.Reader, out io.Writer) error {
		return server(ctx, in, out, serveConnect)
	},
	"fast server":    func(ctx context.Context, in io.Reader, out io.Writer) error { return server(ctx, in, out, serveFast) },
	"grpc-go server": func(ctx context.Context, in io.Reader, out io.Writer) error { return server(ctx, in, out, serveGRPC) },
	"connect-go client": func(ctx context.Context, in io.Reader, out io.Writer) error {
		return client(ctx, in, out, dialConnect)
	},
	"grpc-go client": func(ctx context.Context, in io.Reader, out io.Writer) error {
		return client(ctx, in, out, dialGRPC)
	},
}

func TestMain(m *testing.M) {
	run, ok := programs[os.Getenv(asProgram)]
	if !ok {
		built.Main(m)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// readMessage reads a message as the suite and its programs exchange them: after its
// length in four bytes. The end before a message is io.EOF.
func readMessage(in io.Reader, message proto.Message) error {
	var size [4]byte
	if _, err := io.ReadFull(in, size[:]); err != nil {
		return err
	}
	encoded := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(in, encoded); err != nil {
		return fmt.Errorf("read a message of the suite: %w", err)
	}
	return proto.Unmarshal(encoded, message)
}

func writeMessage(out io.Writer, message proto.Message) error {
	encoded, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	_, err = out.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(encoded))), encoded...))
	return err
}
