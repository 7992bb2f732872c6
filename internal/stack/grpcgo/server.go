package grpcgo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/tap"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// defaultStreams is how many calls one connection may have open. The library's default is
// unlimited, which lets one peer open and reset streams faster than handlers end (CVE-2023-44487).
const defaultStreams = 100

// Server is a grpc.Server that serves greet.v1, with methods to run and drain it. More services may
// be registered until Run is called.
type Server struct {
	*grpc.Server
	health   *health.Server  // nil without a demo
	stopping <-chan struct{} // nil without a demo
	running  *atomic.Int64   // calls in flight; stays 0 without a demo
	drain    time.Duration
}

// NewServerOf returns a server of the service, with the limits that a public server needs. It speaks
// TLS when o.TLS is set.
func NewServerOf(greeter greetv1.GreetServiceServer, o stack.ServeOptions) *Server {
	return newServer(greeter, o)
}

func newServer(greeter greetv1.GreetServiceServer, o stack.ServeOptions, more ...grpc.ServerOption) *Server {
	options := slices.Concat(limits(o), more)
	if o.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(o.TLS)))
	}
	running := new(atomic.Int64)
	if o.Demo != nil {
		options = slices.Concat(options, boundQueues(), interceptors(o.Demo, running))
	}
	if o.CallLimit > 0 {
		options = append(options, grpc.InTapHandle(capped(o.CallLimit)))
	}
	s := &Server{Server: grpc.NewServer(options...), drain: o.Drain, running: running}
	greetv1.RegisterGreetServiceServer(s, greeter)
	if o.Demo == nil {
		return s
	}
	s.stopping = o.Demo.Stopping
	h := newHealth()
	s.health = h.Server
	grpc_health_v1.RegisterHealthServer(s, h)
	reflection.Register(s) // v1, and v1alpha for older tools
	return s
}

// limits are the options that protect the server from bad peers.
func limits(o stack.ServeOptions) []grpc.ServerOption {
	streams := o.Streams
	if streams == 0 {
		streams = defaultStreams
	}
	return []grpc.ServerOption{
		grpc.MaxConcurrentStreams(streams),
		// The same limit both ways: otherwise a server could send what its own clients refuse,
		// and nobody would notice until a message is large.
		grpc.MaxRecvMsgSize(stack.MaxMessageBytes),
		grpc.MaxSendMsgSize(stack.MaxMessageBytes),
		// The most that a peer can make the server hold per call before it is served. The
		// library's default is 16 MiB.
		grpc.MaxHeaderListSize(64 << 10),
		// A peer that connects and says nothing holds a file descriptor and a
		// goroutine for this long. The library's default is two minutes.
		grpc.ConnectionTimeout(5 * time.Second),
		// Stop waits for the handlers, so that what they log is logged and what they hold is
		// released before the process exits.
		grpc.WaitForHandlers(true),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			// Pings are cheap to send and cost the server a wake-up each; a peer
			// that sends them more often than this is told to go away.
			MinTime: 10 * time.Second,
			// Clients that are quiet for long ping so that NATs do not forget them, and do no
			// harm.
			PermitWithoutStream: true,
		}),
		grpc.KeepaliveParams(keepaliveParams(o)),
	}
}

// capped ends each call after limit. An interceptor would be too late: a handler that sends to a
// peer which never reads waits for the context of the stream itself, and only the tap can set that.
func capped(limit time.Duration) tap.ServerInHandle {
	return func(ctx context.Context, _ *tap.Info) (context.Context, error) {
		ctx, cancel := listen.WithLimit(ctx, limit)
		_ = cancel // the stream's own context, above this one, is cancelled at its end
		return ctx, nil
	}
}

func keepaliveParams(o stack.ServeOptions) keepalive.ServerParameters {
	p := keepalive.ServerParameters{
		// A peer that vanished without a FIN is found within 45 s. The library's
		// default is two hours.
		Time:    30 * time.Second,
		Timeout: 15 * time.Second,
	}
	if o.Demo == nil {
		// A server under measurement stays up for a whole run, which may last longer than these
		// limits. A connection that it retired would count as one too many for the case.
		return p
	}
	// Idle connections are closed and busy ones renewed now and then, so that load spreads again
	// when servers behind a balancer come and go.
	p.MaxConnectionIdle = 5 * time.Minute
	p.MaxConnectionAge = 30 * time.Minute
	p.MaxConnectionAgeGrace = 30 * time.Second
	return p
}

// Run serves on socket.TCP until ctx is done. Then it lets the calls in flight end, and cuts those
// that take longer than the drain. It returns after the last handler: an error if it could not
// serve, and a *listen.CutError if a demo had to cut calls. Without a demo nobody counts calls,
// since the counting would be measured too.
func (s *Server) Run(ctx context.Context, socket listen.Socket) error {
	if s.health != nil { // a server under measurement has one client, and that is no attacker
		socket.TCP = listen.Guarded(socket.TCP)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(socket.TCP) }()
	for stopping := s.stopping; ; {
		select {
		case <-stopping:
			s.health.Shutdown()
			stopping = nil
		case err := <-served:
			s.Stop()
			return serveError(socket, err)
		case <-ctx.Done():
			cut := s.stop()
			return cmp.Or(serveError(socket, <-served), cut)
		}
	}
}

// serveError says where serving failed. A server that was stopped before it served has not failed.
func serveError(socket listen.Socket, err error) error {
	if err == nil || errors.Is(err, grpc.ErrServerStopped) {
		return nil
	}
	return fmt.Errorf("serve gRPC on %s: %w", socket.TCP.Addr(), err)
}

// stop drains the server and returns when all its handlers have ended. The error is nil or the
// *listen.CutError that Run returns.
func (s *Server) stop() (cut error) {
	if s.health != nil {
		s.health.Shutdown()
	}
	stopped := make(chan struct{})
	timer := time.AfterFunc(s.drain, func() {
		defer close(stopped)
		if calls := s.running.Load(); calls > 0 {
			cut = &listen.CutError{Limit: s.drain, Calls: calls, Over: []string{"HTTP/2"}}
		}
		s.Stop()
	})
	s.GracefulStop()
	if !timer.Stop() {
		<-stopped
	}
	return cut
}
