package grpcgo

import (
	"runtime"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"

	"example.com/greet/internal/stack"
)

// settings are options of the library that a variant adds, at each end that has
// them.
type settings struct {
	variant string
	server  []grpc.ServerOption
	client  []grpc.DialOption
}

const (
	// largeBuffer is eight times the library's 32 KiB.
	largeBuffer = 256 << 10
	// largeWindow is far above the 64 KiB that HTTP/2 begins with, and above what
	// the calls in flight here move at once. To set it turns the library's own
	// estimate of the right window off.
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
	// By default an idle connection gives its write buffer back to a pool. The option is
	// deprecated, which is one more reason to see what it does.
	ownBuffer = settings{
		variant: "own-write-buffer",
		server:  []grpc.ServerOption{grpc.SharedWriteBuffer(false)},   //nolint:staticcheck // see above
		client:  []grpc.DialOption{grpc.WithSharedWriteBuffer(false)}, //nolint:staticcheck // see above
	}
	// By default buffers of messages come from a pool: this shows what it is worth.
	noPool = settings{
		variant: "no-buffer-pool",
		server:  []grpc.ServerOption{experimental.BufferPool(mem.NopBufferPool{})},
		client:  []grpc.DialOption{experimental.WithBufferPool(mem.NopBufferPool{})},
	}
)

// allSettings lists what Experiments shows: interceptors, then what is said to make
// the library faster, together and one by one, then what it has by default and
// others lack.
var allSettings = []settings{
	interceptorsThatPass(1),
	interceptorsThatPass(4),
	together("tuned", writeBuffer, readBuffer, windows, streamWorkers, ownBuffer),
	writeBuffer, readBuffer, windows, streamWorkers, ownBuffer,
	noPool,
}

// together makes one variant of several.
func together(variant string, parts ...settings) settings {
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

// serverOptions are those that the name's variants add to every server's.
func serverOptions(n stack.Name) []grpc.ServerOption {
	options := serverCompression(n)
	for _, v := range n.Variants {
		if s := settingsOf(v); s != nil {
			options = append(options, s.server...)
		}
	}
	return options
}

// dialOptions are those that the name's variants add to every client's.
func dialOptions(n stack.Name) []grpc.DialOption {
	options := clientCompression(n)
	for _, v := range n.Variants {
		if s := settingsOf(v); s != nil {
			options = append(options, s.client...)
		}
	}
	return options
}
