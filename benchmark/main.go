// Command benchmark measures RPC stacks by one method and prints a table.
//
// Each stack's server is a process of its own, which the command starts and stops
// itself. Results go to a file of JSON lines as they come; tables are made from
// such files. Standard output is data, standard error is progress and log.
//
// The package holds the command line only: what is measured is in
// benchmark/internal/scenario, how in run and load beside it, and what the figures
// say in result and report.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"example.com/greet/benchmark/internal/run"
	"example.com/greet/benchmark/internal/scenario"
)

// Exit statuses of the built command; `go run` ends with 1 for every failure.
const (
	exitGood        = 0
	exitFailed      = 1 // a run, or a verdict on one
	exitUsage       = 2
	exitInterrupted = 130
)

// errVerdict ends a run whose results are printed but do not all stand.
var errVerdict = errors.New("some results do not stand: see the table")

type commandLine struct {
	Run      runCommand      `cmd:"" default:"withargs" help:"Measure, and print the table (the default)."`
	Plan     planCommand     `cmd:"" help:"List what a run would measure, and measure nothing."`
	Stacks   stacksCommand   `cmd:"" help:"List all stacks, and which runs measure each."`
	Interop  interopCommand  `cmd:"" help:"Let every client call every server of its protocol and transport, and print who understands whom."`
	Report   reportCommand   `cmd:"" help:"Print the table of result files."`
	Compare  compareCommand  `cmd:"" help:"Compare two sets of result files, and fail if a gate does."`
	Baseline baselineCommand `cmd:"" help:"Print a baseline for later comparisons: the deterministic figures that every round repeated."`
	Validate validateCommand `cmd:"" help:"Check that files hold well-formed results."`
	Peers    peersCommand    `cmd:"" help:"List the servers of other languages and versions, and build them."`
	Serve    serveCommand    `cmd:"" help:"Serve one stack, for runs from other machines."`
	Worker   workerCommand   `cmd:"" help:"Measure as one of several workers that load servers together."`
	Merge    mergeCommand    `cmd:"" help:"Merge the results of several workers."`
	Slices   slicesCommand   `cmd:"" hidden:"" help:"Measure single slices, as a run --against this version asks for them."`
}

// output is where a command writes.
type output struct {
	data io.Writer // standard output
	log  io.Writer // standard error
}

// echo is how long a repeated signal counts as the same one: timeout(1) sends one to the process,
// then one to its group.
const echo = 500 * time.Millisecond

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Afterwards a second signal ends the process at once, and so its servers, whose standard
	// input ends.
	context.AfterFunc(ctx, func() { time.AfterFunc(echo, stop) })
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs the command line and returns the exit status. A failure to print fails any command.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	data := &checkedWriter{w: stdout}
	help, err := dispatch(ctx, args, output{data: data, log: stderr})
	_, usage := errors.AsType[usageError](err)
	switch {
	case usage && data.err != nil: // printing the help failed, which the parser took for a mistake
		err = data.err
	case data.err != nil && !errors.Is(err, data.err):
		err = errors.Join(err, data.err)
	}
	return status(err, help, stderr)
}

// dispatch runs the command, and returns the command for help on a usage error.
func dispatch(ctx context.Context, args []string, out output) (help string, err error) {
	var cli commandLine
	parser, err := kong.New(&cli, kong.Name("benchmark"),
		kong.Description("Measure RPC stacks that serve greet.v1.GreetService.\n\n"+
			"Without a command it measures: benchmark run --help lists the flags of a run."),
		kong.Writers(out.data, out.log), kong.Help(printHelp), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		vars(), kong.Exit(func(int) { panic(helpPrinted{}) }))
	if err != nil {
		return "", err
	}
	kctx, helped, err := parse(parser, args)
	switch {
	case helped:
		return "", nil
	case err != nil:
		return helpFor(chosenBefore(err), args), usageError{err}
	}
	help = helpFor(kctx, args)
	if err := checkFlags(kctx); err != nil {
		return help, usageError{err}
	}
	kctx.BindTo(ctx, (*context.Context)(nil))
	return help, kctx.Run(out)
}

// vars are the parts of help texts and flag checks that depend on lists in the program.
func vars() kong.Vars {
	byDefault, _ := scenario.Named(nil) // no name can be unknown
	all, _ := scenario.Named([]string{"all"})
	return kong.Vars{
		"formats":          textFormats(),
		"fileFormats":      fileFormats(),
		"compareFormats":   compareFormats(),
		"scenarios":        strings.Join(scenario.Names(all), ", "),
		"defaultScenarios": strings.Join(scenario.Names(byDefault), ", "),
	}
}

// helpPrinted is a panic's value that stops kong after --help, which would exit the process.
type helpPrinted struct{}

func parse(parser *kong.Kong, args []string) (kctx *kong.Context, helped bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, helped = r.(helpPrinted); !helped {
				panic(r)
			}
		}
	}()
	kctx, err = parser.Parse(args)
	return kctx, false, err
}

// usageError is a mistake in the command line that the parser does not find.
type usageError struct{ error }

// status prints what went wrong, with the command for help on a usage error, and returns the exit
// status.
func status(err error, help string, stderr io.Writer) int {
	if err == nil {
		return exitGood
	}
	var usage usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "benchmark: %v; see %s\n", err, help)
		return exitUsage
	case errors.Is(err, run.ErrInterrupted):
		fmt.Fprintln(stderr, "benchmark:", err)
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "benchmark:", err)
	return exitFailed
}
