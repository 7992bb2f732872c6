// Command server serves greet.v1.GreetService for people who want to try it: with connect-go in
// cleartext, with connect-go over TLS and QUIC, and with grpc-go, each on an address of its own.
//
// It owns its flags, the order in which things start and stop, and the exit codes: 0 after a stop
// that was asked for, 1 when it could not serve, 2 for flags that make no sense, 130 when a second
// signal cut the drain short. What is served, and how safely, it leaves to the packages under
// internal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// exitInterrupted is the exit code when a second signal cut the drain short.
const exitInterrupted = 130

// gcPercent starts a garbage collection when the heap has grown by this percentage, unless GOGC
// says otherwise. With Go's default of 100, peers could make the server hold twice the memory that
// it uses.
const gcPercent = 40

func main() {
	// Both signals come through one channel. signal.NotifyContext would lose a second one that
	// arrives just before the call of stop.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, drain := context.WithCancel(context.Background())
	go func() {
		<-signals
		drain()
		<-signals
		os.Exit(exitInterrupted)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run serves until ctx is done and returns the exit code. Only the `listening`
// lines go to stdout; the log and the one line that says why it failed go to
// stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, err := parse(args, stdout)
	if errors.Is(err, errHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "server: %v\n", err)
		if errors.Is(err, errPrint) {
			return 1
		}
		return 2
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.Level(f.LogLevel)}))
	slog.SetDefault(log) // for libraries that log on their own
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if err := serve(ctx, f, stdout, log); err != nil {
		fmt.Fprintf(stderr, "server: %v\n", err)
		return 1
	}
	return 0
}
