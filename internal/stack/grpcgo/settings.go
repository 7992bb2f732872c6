package grpcgo

import (
	"runtime"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"

	"example.com/greet/internal/stack"
)

// settings are the options that a variant adds at each end.
type settings struct {
	variant string
	server  []grpc.ServerOption
	client  []grpc.DialOption
}

const (
	// largeBuffer is eight times the library's 32 KiB.
	largeBuffer = 256 << 10
	// largeWindow is far above the 64 KiB with which HTTP/2 begins, and above what the calls in
	// flight here move at once. Setting it turns the library's own window estimate off.
	largeWindow = 1 << 20
)

var (
	writeBuffer = settings{
		variant: "write-buffer=256k",
		server:  []grpc.ServerOption{grpc.WriteBufferSize(largeBuffer)},
		client:  []grpc.DialOption{grpc.WithWriteBufferSize(largeBuffer)},
	}
	readBuffer = settings{
		variant: "read-buffer=256k",
		server:  []grpc.ServerOption{grpc.ReadBufferSize(largeBuffer)},
		client:  []grpc.DialOption{grpc.WithReadBufferSize(largeBuffer)},
	}
	windows = settings{
		variant: "window=1m",
		server:  []grpc.ServerOption{grpc.InitialWindowSize(largeWindow), grpc.InitialConnWindowSize(largeWindow)},
		client:  []grpc.DialOption{grpc.WithInitialWindowSize(largeWindow), grpc.WithInitialConnWindowSize(largeWindow)},
	}
	// One goroutine per processor, as the library's documentation suggests, in place
	// of one that is made for each call.
	streamWorkers = settings{
		variant: "stream-workers",
		server:  []grpc.ServerOption{grpc.NumStreamWorkers(uint32(runtime.NumCPU()))},
	}
	// By default an idle connection returns its write buffer to a pool. This option is deprecated;
	// see what it does before it goes.
	ownBuffer = settings{
		variant: "own-write-buffer",
		server:  []grpc.ServerOption{grpc.SharedWriteBuffer(false)},   //nolint:staticcheck // see above
		client:  []grpc.DialOption{grpc.WithSharedWriteBuffer(false)}, //nolint:staticcheck // see above
	}
	// By default message buffers come from a pool: this shows the pool's worth.
	noPool = settings{
		variant: "no-buffer-pool",
		server:  []grpc.ServerOption{experimental.BufferPool(mem.NopBufferPool{})},
		client:  []grpc.DialOption{experimental.WithBufferPool(mem.NopBufferPool{})},
	}
)

// allSettings lists the variants of Experiments: interceptors; then options that are said to make
// the library faster, together and one by one; then options that turn off what the library has and
// others lack.
var allSettings = []settings{
	interceptorsThatPass(1),
	interceptorsThatPass(4),
	combine("tuned", writeBuffer, readBuffer, windows, streamWorkers, ownBuffer),
	writeBuffer, readBuffer, windows, streamWorkers, ownBuffer,
	noPool,
}

// combine makes one variant of several.
func combine(variant string, parts ...settings) settings {
	all := settings{variant: variant}
	for _, p := range parts {
		all.server = append(all.server, p.server...)
		all.client = append(all.client, p.client...)
	}
	return all
}

// settingsOf returns the settings of a variant, or nil if it is not one of these.
func settingsOf(variant string) *settings {
	i := slices.IndexFunc(allSettings, func(s settings) bool { return s.variant == variant })
	if i < 0 {
		return nil
	}
	return &allSettings[i]
}

// serverOptions returns the options that the name's variants add at the server.
func serverOptions(n stack.Name) []grpc.ServerOption {
	options := serverCompression(n)
	for _, v := range n.Variants {
		if s := settingsOf(v); s != nil {
			options = append(options, s.server...)
		}
	}
	return options
}

// dialOptions returns the options that the name's variants add at the client.
func dialOptions(n stack.Name) []grpc.DialOption {
	options := clientCompression(n)
	for _, v := range n.Variants {
		if s := settingsOf(v); s != nil {
			options = append(options, s.client...)
		}
	}
	return options
}
