package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/run"
	"example.com/greet/internal/stack"
)

// comparedStacks are the Go stacks with which peers are compared.
var comparedStacks = []string{
	"grpc-go/grpc/h2c", "connect-go/grpc/h2c", "floor/grpc/h2c", "connect-go/connect/h1", "connect-go/connect/h2c",
}

// stopPatience is how long a server or a client may take to end. No call is in
// flight then.
const stopPatience = 10 * time.Second

// facts are the properties of one stack, read from its running ends.
type facts struct {
	target *plan.Target
	server *endFacts
	client *endFacts // nil if there is none
}

// endFacts are the properties of one end after some hundred calls.
type endFacts struct {
	footprint
	opening
	encoding string // of what it sends; a server's for a client that accepts gzip
	accepts  string // the compressions that a client accepts
}

// printFacts prints tables of the chosen stacks' properties. It continues after an end that fails,
// and leaves that out.
func printFacts(ctx context.Context, out output, patterns []string) error {
	found, err := factsAbout(ctx, patterns)
	if err != nil {
		return err
	}
	var all []facts
	var errs []error
	for _, t := range found.Targets {
		fmt.Fprintln(out.log, t.Stack.Name)
		f, err := readFacts(ctx, t, out.log)
		if errs = append(errs, err); f.server != nil {
			all = append(all, f)
		}
		if ctx.Err() != nil {
			return run.ErrInterrupted
		}
	}
	sayWhatIsSkipped(out.log, found.Skipped)
	builds, err := buildsOf(found)
	if len(all) > 0 {
		writeFacts(out.data, run.Environment(ctx, factsCommand(patterns)), builds, all)
	}
	return errors.Join(append(errs, err)...)
}

func factsCommand(patterns []string) string {
	command := "go run ./benchmark peers --facts"
	if len(patterns) > 0 {
		command += " --stacks '" + strings.Join(patterns, ",") + "'"
	}
	return command
}

// factsAbout returns the stacks of RPC libraries without TLS that the patterns name. Without
// patterns it returns those of all peers and the Go stacks with which they are compared.
func factsAbout(ctx context.Context, patterns []string) (plan.Chosen, error) {
	all := plan.Selection{Peers: true, Stacks: patterns}
	if len(patterns) == 0 {
		there, err := plan.FindPeers()
		if err != nil {
			return plan.Chosen{}, err
		}
		all.Stacks = slices.Clone(comparedStacks)
		for _, one := range there {
			all.Stacks = append(all.Stacks, one.Name.String())
		}
	}
	c, err := all.Choose(ctx)
	if err != nil {
		return c, asUsage(err)
	}
	c.Targets = slices.DeleteFunc(c.Targets, func(t *plan.Target) bool {
		n := t.Stack.Name
		return !n.RPC() || n.Transport != stack.H1 && n.Transport != stack.H2C
	})
	if len(c.Targets) == 0 {
		return c, usageError{fmt.Errorf("no RPC library without TLS is among the stacks %s", strings.Join(patterns, ", "))}
	}
	return c, nil
}

// readFacts may return facts together with an error, of a server that did not end well.
func readFacts(ctx context.Context, t *plan.Target, log io.Writer) (f facts, err error) {
	f.target = t
	if f.server, err = readServer(ctx, t, log); f.server == nil {
		return f, err
	}
	var failed error
	f.client, failed = readClient(ctx, t, log)
	return f, errors.Join(err, failed)
}

// startTarget starts the server. The caller stops it.
func startTarget(ctx context.Context, t *plan.Target, log io.Writer) (*process.Server, error) {
	n := t.Stack.Name
	return process.Start(ctx, process.Command{
		Name: n.String(), Argv: t.Argv, Dir: t.Dir, Log: log,
		Fill: process.Fill{Protocol: n.Protocol, Transport: n.Transport},
	})
}

func readServer(ctx context.Context, t *plan.Target, log io.Writer) (_ *endFacts, err error) {
	server, err := startTarget(ctx, t, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop(stopPatience)) }()
	client, err := callOften(ctx, t.Stack, server.Addr())
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var f endFacts
	if f.footprint, err = footprintOf(server.PID()); err != nil {
		return nil, err
	}
	if f.encoding, err = replyEncoding(ctx, t.Stack.Name, server.Addr()); err != nil {
		return nil, err
	}
	if t.Stack.Name.Transport == stack.H2C {
		if f.opening, err = askOpening(ctx, server.Addr()); err != nil {
			return nil, err
		}
	}
	return &f, nil
}

// readClient lets the stack's client call the Go server that compares clients, or its own server if
// it is one of ours.
func readClient(ctx context.Context, t *plan.Target, log io.Writer) (_ *endFacts, err error) {
	call, target, err := clientOf(t, log)
	if call == nil || err != nil {
		return nil, err
	}
	server, err := startTarget(ctx, target, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop(stopPatience)) }()
	tap, err := listenBefore(ctx, server.Addr())
	if err != nil {
		return nil, err
	}
	var f endFacts
	var failed error
	f.footprint, failed = call(ctx, tap.Addr())
	if f.opening, err = tap.Close(); failed != nil || err != nil {
		return nil, fmt.Errorf("read client of %s: %w", t.Stack.Name, errors.Join(failed, err))
	}
	f.encoding, f.accepts = encodingOf(f.header), acceptedOf(f.header)
	return &f, nil
}
