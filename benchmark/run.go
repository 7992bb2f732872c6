package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/greet/internal/report"
	"example.com/greet/internal/result"
	"example.com/greet/internal/run"
	"example.com/greet/internal/scenario"
	"example.com/greet/internal/stack"
	"example.com/greet/internal/stack/catalog"
)

// selection is what to measure; run and plan share it.
type selection struct {
	Stacks    []string `placeholder:"GLOB" help:"Stacks to measure; * also crosses slashes. Each library and protocol in its plain form, unless --target is given."`
	Scenarios []string `placeholder:"NAME" help:"Scenarios to measure, or all: ${scenarios}. Unless given, ${defaultScenarios}."`
	Target    []string `placeholder:"NAME=HOST:PORT" help:"Also call a server that runs already, under a stack's name such as mine/grpc/h2c. May be repeated."`
	TargetCA  string   `name:"target-ca" placeholder:"FILE" help:"Certificate to trust for targets over TLS; any is trusted if it is not given."`
}

type runCommand struct {
	selection
	Rounds int    `default:"5" help:"Rounds: one slice of every case each. Intervals are claimed from 6 on."`
	Out    string `default:"results" placeholder:"DIR" help:"Directory for the file of result lines."`
	Seed   uint64 `help:"Seed of the order of cases within the rounds; drawn if it is not given."`
	Format string `default:"markdown" enum:"${formats}" help:"Format of the report: ${formats}."`
}

// targets returns the stacks to call, with how to start the servers of our own.
func (s selection) targets() ([]run.Target, error) {
	stacks, err := s.stacks()
	if err != nil {
		return nil, usageError{err}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	var targets []run.Target
	for _, st := range stacks {
		targets = append(targets, run.Target{Stack: st, Argv: serveArgv(program, st.Name)})
	}
	for _, spec := range s.Target {
		target, err := parseTarget(spec, s.TargetCA)
		if err != nil {
			return nil, usageError{err}
		}
		targets = append(targets, target)
	}
	return targets, uniqueNames(targets)
}

// stacks are those of ours that were asked for.
func (s selection) stacks() ([]stack.Stack, error) {
	if len(s.Stacks) == 0 && len(s.Target) == 0 {
		return catalog.Default(), nil
	}
	return catalog.Match(s.Stacks)
}

func uniqueNames(targets []run.Target) error {
	seen := make(map[string]bool)
	for _, t := range targets {
		name := t.Stack.Name.String()
		if seen[name] {
			return usageError{fmt.Errorf("two stacks are named %s: give the target another library name", name)}
		}
		seen[name] = true
	}
	return nil
}

// newRun prepares a run of the selection.
func (s selection) newRun() (run.Run, error) {
	scenarios, err := scenario.Named(s.Scenarios)
	if err != nil {
		return run.Run{}, usageError{err}
	}
	targets, err := s.targets()
	return run.Run{Targets: targets, Scenarios: scenarios}, err
}

// Run measures, prints the report, and fails if a result does not stand.
func (c runCommand) Run(ctx context.Context, out output) error {
	if c.Rounds < 1 {
		return usageError{fmt.Errorf("--rounds %d: want at least 1", c.Rounds)}
	}
	r, err := c.newRun()
	if err != nil {
		return err
	}
	path, writer, err := c.openResults()
	if err != nil {
		return err
	}
	defer writer.Close()
	r.ID = strings.TrimSuffix(filepath.Base(path), ".jsonl")
	r.Rounds, r.Seed, r.Command = c.Rounds, c.seed(), commandToRepeat(os.Args[1:])
	r.Progress, r.ServerLog = newProgress(out.log, c.Rounds), out.log
	var lines []result.Line
	r.Write = func(l result.Line) error {
		lines = append(lines, l)
		return writer.Write(l)
	}
	fmt.Fprintf(out.log, "%d cases of %d stacks, %d rounds; results go to %s\n", len(r.Plan(1)), len(r.Targets), r.Rounds, path)
	runErr := r.Do(ctx)
	return errors.Join(runErr, c.print(out, lines))
}

// print prints the report of the lines that there are, and says whether they
// stand.
func (c runCommand) print(out output, lines []result.Line) error {
	if len(lines) == 0 {
		return nil
	}
	if err := writeReport(out.data, c.Format, lines); err != nil {
		return err
	}
	for _, l := range lines {
		if result.Disqualified(l.Verdicts) {
			return errVerdict
		}
	}
	return nil
}

// openResults makes the file that the run's lines go to.
func (c runCommand) openResults() (string, *result.Writer, error) {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return "", nil, fmt.Errorf("make directory for results: %w", err)
	}
	var unique [2]byte
	_, _ = rand.Read(unique[:]) // never fails
	name := time.Now().UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(unique[:]) + ".jsonl"
	path := filepath.Join(c.Out, name)
	writer, err := result.NewWriter(path)
	return path, writer, err
}

func (c runCommand) seed() uint64 {
	if c.Seed != 0 {
		return c.Seed
	}
	return uint64(time.Now().UnixNano()) & math.MaxInt32 // exact in any JSON reader
}

// commandToRepeat is the command line as a reader of the results would type it.
func commandToRepeat(args []string) string {
	words := []string{"go run ./benchmark"}
	for _, arg := range args {
		if strings.ContainsAny(arg, " *?[]$'\"\\") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// serveArgv starts the server of a stack of ours: this program again.
func serveArgv(program string, name stack.Name) []string {
	return []string{program, "serve", "--stack", name.String(), "--addr", "{addr}", "--cert", "{cert}", "--key", "{key}"}
}

// scenarioNames lists scenarios for the command line.
func scenarioNames(scenarios []scenario.Scenario) string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// formats lists the report formats for the command line.
func formats() string { return strings.Join(report.FormatNames(), ",") }
