package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"slices"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/connectgo"
	"example.com/greet/internal/wire"
)

// compared are the ways that --compare-wire shows side by side. One listener serves all of them.
var compared = []stack.Name{
	{Library: connectgo.Library, Protocol: stack.Connect, Transport: stack.H1},
	{Library: connectgo.Library, Protocol: stack.Connect, Transport: stack.H2C},
	{Library: connectgo.Library, Protocol: stack.GRPC, Transport: stack.H2C},
	{Library: connectgo.Library, Protocol: stack.GRPCWeb, Transport: stack.H2C},
}

// compareWire makes the same call in each way and prints what each sent.
func compareWire(ctx context.Context, f *flags, out io.Writer) error {
	b := blocks(f.Name, f.Count)[slices.Index(modes, f.CompareWire)]
	columns := make([]comparedCall, len(compared))
	for i, name := range compared {
		if err := columns[i].make(ctx, f, name, b); err != nil {
			return err
		}
	}
	return printComparison(out, b.title, columns)
}

// comparedCall has the traffic of one way: the call that opened a connection, the next one on it,
// and one with metadata.
type comparedCall struct {
	name                  stack.Name
	why                   string // it cannot carry the mode
	first, next, metadata wire.Summary
}

func (c *comparedCall) make(ctx context.Context, f *flags, name stack.Name, b block) error {
	c.name = name
	v := newView(io.Discard, wireText, true)
	way := *f
	way.Lib, way.Protocol, way.Transport = name.Library, name.Protocol, name.Transport
	t, err := way.target(new(tls.Config), v.tap())
	if err != nil {
		return err
	}
	defer t.Close()
	if c.why = t.stack.Refuses[b.mode]; c.why != "" {
		return nil
	}
	for _, call := range []struct {
		into *wire.Summary
		ctx  context.Context
	}{
		{&c.first, ctx},
		{&c.next, ctx},
		{&c.metadata, stack.WithMetadata(ctx, &stack.Metadata{
			RequestHeader: http.Header{http.CanonicalHeaderKey(greet.HeaderEcho): {"hello"}},
		})},
	} {
		v.recorder.Begin()
		if err := f.call(call.ctx, t, b, func(string, ...any) {}); err != nil {
			return fmt.Errorf("%s over %s: %w", b.title, name, explain(err, t))
		}
		v.recorder.Settle()
		*call.into = wire.Summarise(v.recorder.Take())
	}
	return nil
}
