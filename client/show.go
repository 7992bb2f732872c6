package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// block is the part of the demo that shows one mode.
type block struct {
	mode  greet.Mode
	title string
	call  func(ctx context.Context, server stack.Client, say sayer) error
}

// blocks returns the four modes in the order of teaching. A name or count that is not nil replaces
// the demo's own.
func blocks(name *string, count *int32) []block {
	greeted, streamer := "world", "streamer"
	chatters := []string{"alice", "bob", "carol"}
	if name != nil {
		greeted, streamer, chatters = *name, *name, []string{*name}
	}
	n := *cmp.Or(count, new(int32(3)))
	names := func(yield func(string) bool) {
		for i := range n {
			if !yield(chatters[int(i)%len(chatters)]) {
				return
			}
		}
	}
	return []block{
		{greet.Unary, "unary: Greet", func(ctx context.Context, server stack.Client, say sayer) error {
			return unary(ctx, server, greeted, say)
		}},
		{greet.ServerStream, "server streaming: GreetStream", func(ctx context.Context, server stack.Client, say sayer) error {
			return serverStream(ctx, server, streamer, n, say)
		}},
		{greet.ClientStream, "client streaming: GreetCount", func(ctx context.Context, server stack.Client, say sayer) error {
			return clientStream(ctx, server, names, say)
		}},
		{greet.Bidi, "bidirectional streaming: GreetChat", func(ctx context.Context, server stack.Client, say sayer) error {
			return bidi(ctx, server, names, say)
		}},
	}
}

// runModes shows the modes that the flags ask for, all four by default. Before it sends anything,
// it says which modes the stack cannot carry: on stderr, or as a usageError if nothing else was
// asked for.
func runModes(ctx context.Context, f *flags, t *target, v *view, stderr io.Writer) error {
	all := blocks(f.Name, f.Count)
	if f.Mode != "" {
		mode := modeNames[f.Mode]
		if why := t.stack.Refuses[mode]; why != "" {
			return usagef("%s cannot carry %s: %s", t.stack.Name, f.Mode, why)
		}
		all = slices.DeleteFunc(all, func(b block) bool { return b.mode != mode })
	}
	all = slices.DeleteFunc(all, func(b block) bool {
		why := t.stack.Refuses[b.mode]
		if why != "" {
			fmt.Fprintf(stderr, "client: leaving out %q, which %s cannot carry: %s\n", b.title, t.stack.Name, why)
		}
		return why != ""
	})
	for _, b := range all {
		v.begin(b.title)
		err := f.call(ctx, t, b, v.sayer("client"))
		if lost := v.end(err); lost != nil {
			return lost
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.title, err)
		}
	}
	return nil
}

func (f *flags) call(ctx context.Context, t *target, b block, say sayer) error {
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	return b.call(ctx, t, say)
}
