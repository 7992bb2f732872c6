// Command engine measures the load engine of this repository beside others: the
// floor's driver, h2load and ghz, each as a process of its own, in turn, against
// the same servers.
//
// It owns how those tools are called and what they print. It refuses to know what
// makes a good engine: it prints calls a second, what a call costs the tool, how
// much memory the tool takes, and what it reports of a server that refuses all.
// Tools that are not installed are left out by name.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

type commandLine struct {
	Compare compareCommand `cmd:"" default:"withargs" help:"Measure every tool that is there, and print the table (the default)."`
	Report  reportCommand  `cmd:"" help:"Print the tables of result files that are there."`
	Serve   serveCommand   `cmd:"" hidden:"" help:"Serve one of the servers that the tools call."`
	Drive   driveCommand   `cmd:"" hidden:"" help:"Drive load as one of the tools, and print what came of it."`
}

type compareCommand struct {
	Rounds int           `default:"6" help:"Rounds: each tool once against each server. Intervals are claimed from 6 on."`
	Window time.Duration `default:"2s" help:"How long each tool calls, in whole seconds for the tools of others."`
	Out    string        `default:"results/engine.jsonl" placeholder:"FILE" help:"File of result lines; one that is there is replaced when all is measured."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// output is where a command writes.
type output struct {
	data io.Writer // standard output
	log  io.Writer // standard error
}

func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cli commandLine
	parser, err := kong.New(&cli, kong.Name("engine"), kong.Writers(stdout, stderr),
		kong.Description("Measure the load engine beside h2load and ghz."))
	if err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return 2
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(output{stdout, stderr}); err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return 1
	}
	return 0
}
