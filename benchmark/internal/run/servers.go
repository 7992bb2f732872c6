package run

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/listen"
)

// stopPatience is how long a server may take to drain after the run. No call is
// in flight then.
const stopPatience = 10 * time.Second

// server is a target during the run, with the state that its slices share.
type server struct {
	scenario.Setup
	target  *plan.Target
	process *process.Server // nil if the run did not start it
	// figures reads what the server has used; nil if that is impossible.
	figures func() (process.Stats, error)
	hangUp  func()    // closes the connection of figures; nil if there is none
	gone    bool      // it has ended by itself, which has been reported
	left    time.Time // when its last slice ended
}

// watched records that a slice has ended. The time before the first slice is a guess, which the
// line must not give as a fact.
func (s *server) watched(line *result.Line) {
	if s == nil {
		return
	}
	if s.left.IsZero() {
		line.UnseenNS = 0
	}
	s.left = time.Now()
}

// probed returns the setup for probing the server.
func (s *server) probed() scenario.Setup {
	setup := s.Setup
	setup.Caller = s.target.Client
	return setup
}

// servers are all targets of a run.
type servers struct {
	byTarget map[*plan.Target]*server
	dir      string // holds the certificate
}

// of returns the entry's server, or nil if it has none.
func (s *servers) of(e plan.Entry) *server { return s.byTarget[e.Target] }

// start starts the server of each target that is not running already, on the given CPUs, or on all
// if there are none given. If it fails it stops those that it has started.
func start(ctx context.Context, targets []*plan.Target, cpus []int, log io.Writer) (_ *servers, err error) {
	s := &servers{byTarget: make(map[*plan.Target]*server)}
	defer func() {
		if err != nil {
			_ = s.stop()
		}
	}()
	trust, err := s.makeCertificate()
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		one := &server{target: t}
		one.Server = calls.Server{Stack: t.Stack, Addr: t.Addr, TLS: t.TLS, Cert: s.certFile(), Log: log}
		s.byTarget[t] = one
		if t.Figures != nil {
			asked, err := process.DialFigures(ctx, t.Figures.Addr, t.Figures.Token)
			if err != nil {
				return nil, fmt.Errorf("ask %s for what it uses: %w", t.Stack.Name, err)
			}
			one.figures, one.hangUp = asked.Stats, asked.Close
		}
		if t.Argv != nil {
			command := s.command(t, cpus, log)
			if one.process, err = process.Start(ctx, command); err != nil {
				return nil, err
			}
			one.TLS = trust
			one.observe(command)
		}
	}
	return s, nil
}

func (s *servers) command(t *plan.Target, cpus []int, log io.Writer) process.Command {
	return process.Command{
		Name: t.Stack.Name.String(),
		Argv: t.Argv,
		Dir:  t.Dir,
		Log:  log,
		CPUs: cpus,
		Fill: process.Fill{
			Protocol:  t.Stack.Name.Protocol,
			Transport: t.Stack.Name.Transport,
			Cert:      s.certFile(),
			Key:       s.keyFile(),
		},
	}
}

// makeCertificate makes the certificate that all servers of the run share, and
// returns what a client needs to trust it.
func (s *servers) makeCertificate() (*tls.Config, error) {
	dir, err := os.MkdirTemp("", "greet-benchmark-")
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	s.dir = dir
	cert, err := listen.SelfSigned()
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	if err := listen.WritePEM(s.certFile(), cert); err != nil {
		return nil, err
	}
	if err := listen.WriteKeyPEM(s.keyFile(), cert); err != nil {
		return nil, err
	}
	return listen.ClientTLS(s.certFile(), false)
}

func (s *servers) certFile() string { return filepath.Join(s.dir, "cert.pem") }

func (s *servers) keyFile() string { return filepath.Join(s.dir, "key.pem") }

// reportExits reports each server that has ended by itself, once.
func (s *servers) reportExits(w io.Writer) {
	for _, one := range s.byTarget {
		if one.process == nil || one.gone {
			continue
		}
		select {
		case <-one.process.Exited():
			one.gone = true
			fmt.Fprintf(w, "server %s has exited: %s; its slices fail from here\n", one.process.Name(), one.process.Ended())
		default:
		}
	}
}

// stop stops every server that the run started.
func (s *servers) stop() error {
	var errs []error
	for _, one := range s.byTarget {
		if one.hangUp != nil {
			one.hangUp()
		}
		if one.process == nil {
			continue
		}
		if err := one.process.Stop(stopPatience); !one.gone {
			errs = append(errs, err)
		}
	}
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}
