package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"slices"
	"sync"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/stack/grpcgo"
)

// row is one way to call one of the server's listeners, with a cell for each
// codec and mode.
type row struct {
	lib, protocol, transport string
	listener, addr           string   // the server's flag and address
	cells                    [][]cell // by codec, then by mode
}

// cell is one mode over one codec. It was called unless why says that it cannot work; err says what
// went wrong.
type cell struct {
	why string
	err error
}

// off, in place of an address, says that the server has no such listener.
const off = "off"

// wanted is what each mode prints in the demo.
var wanted = map[greet.Mode][]string{
	greet.Unary:        {"Hello, world!"},
	greet.ServerStream: {"Hello #1, streamer!", "Hello #2, streamer!", "Hello #3, streamer!"},
	greet.ClientStream: {"server counted 3 requests"},
	greet.Bidi:         {"Hi, alice!", "Hi, bob!", "Hi, carol!"},
}

// runMatrix calls every cell and prints the grid. It fails if a cell that should
// work does not.
func runMatrix(ctx context.Context, f *flags, trust *tls.Config, out io.Writer) error {
	rows := matrixRows(f)
	if len(rows) == 0 {
		return usagef("--connect, --tls and --grpc are all off: nothing to try")
	}
	var running sync.WaitGroup
	for i := range rows {
		running.Go(func() { rows[i].try(ctx, f, trust) })
	}
	running.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return printGrid(out, rows)
}

// matrixRows lists the ways to call. First comes each library, protocol and transport at its own
// listener, then each library at the listener of the other one. It leaves out listeners that are
// off.
func matrixRows(f *flags) []row {
	addrs := map[string]string{"connect": f.Connect, "tls": f.TLS, "grpc": f.GRPC}
	var rows []row
	for _, library := range libraries {
		for _, protocol := range protocols {
			for _, transport := range transports {
				name := stack.Name{Library: library, Protocol: protocol, Transport: transport}
				home, _ := defaultListener(name)
				rows = append(rows, row{lib: library, protocol: protocol, transport: transport, listener: home})
			}
			other := map[string]string{connectgo.Library: "grpc", grpcgo.Library: "connect"}[library]
			rows = append(rows, row{lib: library, protocol: protocol, transport: stack.H2C, listener: other})
		}
	}
	for i := range rows {
		rows[i].addr = addrs[rows[i].listener]
	}
	return slices.DeleteFunc(rows, func(r row) bool { return r.addr == off })
}

// try fills the row's cells.
func (r *row) try(ctx context.Context, f *flags, trust *tls.Config) {
	for _, codec := range codecs {
		r.cells = append(r.cells, r.tryCodec(ctx, f, trust, codec))
	}
}

func (r *row) tryCodec(ctx context.Context, f *flags, trust *tls.Config, codec string) []cell {
	cells := make([]cell, len(greet.Modes))
	fill := func(c cell) []cell { return slices.Repeat([]cell{c}, len(cells)) }
	if why := r.cannot(codec); why != "" {
		return fill(cell{why: why})
	}
	s, err := newStack(r.lib, r.protocol, r.transport, codec)
	if err != nil {
		return fill(cell{err: err})
	}
	t, err := dialTarget(s, r.addr, "go run ./server", stack.DialOptions{TLS: trust, InFlight: 1, FastHTTP2: f.fastHTTP2()})
	if err != nil {
		return fill(cell{err: err})
	}
	defer t.Close()
	for i, b := range blocks(nil, nil) {
		if cells[i].why = s.Refuses[b.mode]; cells[i].why != "" {
			continue
		}
		err := f.verify(ctx, t, b)
		if t.unreachable(err) {
			return fill(cell{err: r.noServer()})
		}
		cells[i].err = explain(err, t)
	}
	return cells
}

// noServer is the same error for all rows of a listener, so that it is reported once. HTTP/3 has an
// error of its own, as it has a socket of its own.
func (r *row) noServer() error {
	socket := "TCP"
	if r.transport == stack.H3 {
		socket = "UDP"
	}
	return fmt.Errorf("no server answers at %s (--%s, %s): start one with: go run ./server", r.addr, r.listener, socket)
}

// refusal says why no cell of the row can work, if all have the same reason; else it is empty.
func (r *row) refusal() string {
	first := r.cells[0][0].why
	for _, c := range slices.Concat(r.cells...) {
		if c.why != first {
			return ""
		}
	}
	return first
}

// cannot says why the row's two ends cannot exchange messages in the codec, whatever the mode. The
// limits of grpc-go hold when it is at either end; the advice depends on which end that is.
func (r *row) cannot(codec string) string {
	if r.lib != grpcgo.Library {
		if r.listener == "grpc" && (r.protocol != stack.GRPC || codec != "proto") {
			return "the grpc listener, which is grpc-go, speaks gRPC with protobuf only: call the connect listener"
		}
		return ""
	}
	name := stack.Name{Library: grpcgo.Library, Protocol: r.protocol, Transport: r.transport}
	if codec != "proto" {
		name.Variants = []string{codec}
	}
	return grpcgo.Refuses(name)
}

// verify makes one call of the demo and compares the reply.
func (f *flags) verify(ctx context.Context, t *target, b block) error {
	var got []string
	err := f.call(ctx, t, b, func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) })
	if err == nil && !slices.Equal(got, wanted[b.mode]) {
		err = fmt.Errorf("wrong reply: got %q, want %q", got, wanted[b.mode])
	}
	return err
}
