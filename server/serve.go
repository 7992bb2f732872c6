package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/listen"
	"example.com/greet/internal/stack"
)

// lameDuck is how long the server reports NOT_SERVING before it closes its listeners, so that
// health checks notice.
const lameDuck = 250 * time.Millisecond

// serve opens the listeners that f asks for, announces them, and serves until ctx is done and the
// drain is over. It logs a drain that cut calls; that is not an error.
func serve(ctx context.Context, f flags, stdout io.Writer, log *slog.Logger) error {
	ls := f.listeners()
	if err := ls.bind(); err != nil {
		return err
	}
	defer ls.close()
	config, err := serverTLS(f, log)
	if err != nil {
		return err
	}
	if err := ls.announce(stdout); err != nil {
		return err
	}
	stopping := make(chan struct{})
	return ls.serve(ctx, stopping, stack.ServeOptions{
		TLS:       config,
		CallLimit: listen.DefaultCallLimit,
		Drain:     f.Drain,
		FastHTTP2: f.HTTP2 == "fast",
		Demo:      &stack.Demo{Log: log, Calls: greet.NewCallLog(log), Stopping: stopping},
	})
}

// serverTLS loads the certificate or makes one, unless TLS is off.
func serverTLS(f flags, log *slog.Logger) (*tls.Config, error) {
	if f.TLS == off {
		return nil, nil
	}
	if f.Cert != "" {
		cert, err := listen.LoadCertificate(f.Cert, f.Key)
		return listen.ServerTLS(cert), err
	}
	cert, err := listen.SelfSigned()
	if err != nil {
		return nil, err
	}
	if f.CertOut != "" {
		if err := listen.WritePEM(f.CertOut, cert); err != nil {
			return nil, err
		}
	}
	log.Info("made a certificate for localhost; clients trust it with --ca and what --cert-out wrote, or with --insecure",
		"cert_out", f.CertOut, "expires", cert.Leaf.NotAfter)
	return listen.ServerTLS(cert), nil
}

// serve serves on all listeners until ctx is done or one of them fails, which
// stops the others. It closes stopping first and drains after lameDuck.
func (ls listeners) serve(ctx context.Context, stopping chan struct{}, o stack.ServeOptions) error {
	ctx, fail := context.WithCancel(ctx)
	defer fail()
	serving, drain := context.WithCancel(context.WithoutCancel(ctx))
	defer drain()
	var running sync.WaitGroup
	errs := make([]error, len(ls))
	for i, l := range ls {
		running.Go(func() {
			errs[i] = l.serve(serving, l.socket, o)
			fail()
		})
	}
	<-ctx.Done()
	o.Demo.Log.Info("stopping", "drain", o.Drain)
	close(stopping)
	time.Sleep(min(lameDuck, o.Drain))
	drain()
	running.Wait()
	return failure(errs, o.Demo.Log)
}

// failure logs the drains that were cut and joins the other errors.
func failure(errs []error, log *slog.Logger) error {
	var failed []error
	for _, err := range errs {
		if cut, ok := errors.AsType[*listen.CutError](err); ok {
			log.Warn("calls were cut", "error", cut)
		} else {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
