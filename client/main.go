// Command client calls greet.v1.GreetService. It shows the four modes, tries every way in which
// they can travel, and shows what calls have besides messages.
//
// It owns the command line and what is printed. The packages under internal/stack decide which
// library, protocol and transport carry a call; the modes here are the same code over all of them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of the built binary.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command. It prints results on stdout and everything that is wrong on stderr, one
// line each.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{out: stdout}
	flags, done, err := parse(args, out)
	if err == nil && !done {
		err = dispatch(ctx, flags, out, stderr)
	}
	if out.err != nil {
		err = out.err // also if the command failed
	}
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "client: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "client:", printable(err.Error()))
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

func dispatch(ctx context.Context, f *flags, stdout, stderr io.Writer) error {
	if f.Explain != "" {
		return explainTopic(f.Explain, stdout)
	}
	trust, err := f.trust()
	if err != nil {
		return err
	}
	if f.Matrix {
		return runMatrix(ctx, f, trust, stdout)
	}
	if f.CompareWire != "" {
		return compareWire(ctx, f, stdout)
	}
	v := newView(stdout, f.Wire, f.Demo == flowControl)
	target, err := f.target(trust, v.tap())
	if err != nil {
		return err
	}
	if f.Demo != "" {
		err = runDemo(ctx, f, target, v)
	} else {
		err = runModes(ctx, f, target, v, stderr)
	}
	err = explain(err, target)
	return errors.Join(err, target.Close(), v.finish())
}
