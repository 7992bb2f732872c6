package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

type runCommand struct {
	selection
	Out     string  `default:"results" placeholder:"DIR" help:"Directory for the file of result lines."`
	Resume  resumed `help:"Go on with an interrupted run, given the same command: with the newest of the same plan in --out, or with --resume=FILE."`
	Seed    *uint64 `placeholder:"N" help:"Seed of the order of cases within the rounds; drawn if it is not given."`
	Pin     bool    `help:"Keep the servers to one half of the CPUs and the client to the other. Takes 2 CPUs at least."`
	Profile *string `placeholder:"KIND" enum:"cpu,heap" help:"Write profiles (cpu or heap) of client and Go server beside the results, one each for every slice; go tool pprof adds up those of a case. It costs speed, so such figures stand in no table with others."`
	Against string  `placeholder:"BINARY|COMMIT" help:"Take turns with another version of this program, slice by slice: a binary of it, or a commit, which is built. The table is that of compare, with the ratio within rounds. As many rounds as a minute has, 10 to 60, unless given."`
	Format  string  `default:"markdown" enum:"${formats}" help:"Format of the report: ${formats}."`
}

// Help is what `benchmark run --help` says beside the flags.
func (runCommand) Help() string {
	return `Servers are started once and stay up. A round measures one slice of every case, in an order of its own.
Each slice is on disk before the next begins.

Ctrl-C ends the run and prints the report of what there is, marked partial; a second one ends it at once.
--resume then goes on, on the same machine with the same build, and measures what is missing.

Exit status: 0 if all results stand, 1 if one does not or the run failed, 2 for a mistake in the command, 130 if interrupted.`
}

// Run measures, prints the report, and fails if a result does not stand.
func (c runCommand) Run(ctx context.Context, out output) error {
	if c.Against != "" {
		return c.takeTurns(ctx, out)
	}
	var r run.Run
	err := c.carryOut(ctx, out, func(ctx context.Context, done []result.Line) (run.Run, error) {
		var err error
		r, err = c.newRun(ctx, done)
		return r, err
	})
	if err != nil {
		return err
	}
	more, err := c.longer(ctx, r.Rounds, commandToRepeat(os.Args[1:]))
	fmt.Fprint(out.log, more)
	return err
}

// carryOut makes the run that prepare returns, which resumes from the lines, if there are any.
func (c runCommand) carryOut(ctx context.Context, out output, prepare preparer) error {
	if err := within("seed", c.Seed, 0, mostSeed); err != nil {
		return usageError{err}
	}
	file, r, err := c.Resume.begin(ctx, c.Out, prepare)
	if err != nil {
		return err
	}
	if err := r.CheckTargets(ctx); err != nil {
		return errors.Join(err, file.Close())
	}
	if file.Writer == nil {
		if file, err = newResults(c.Out); err != nil {
			return err
		}
	}
	defer file.Close()
	shown := newDisplay(out.log)
	if err := c.complete(&r, file, shown); err != nil {
		return err
	}
	there := len(file.lines)
	introduce(shown.Log(), r, file)
	runErr := r.Do(ctx)
	shown.Close()
	if runErr != nil && len(file.lines) == there {
		return runErr // there is nothing new to print
	}
	printErr := c.print(out, file.lines)
	if errors.Is(runErr, run.ErrInterrupted) && file.resumable() {
		runErr = fmt.Errorf("%w; go on with:\n  %s --resume=%s", runErr, r.Command, quoted(file.path))
	}
	if runErr != nil && errors.Is(printErr, errVerdict) {
		return runErr // the worse of the two errors
	}
	return errors.Join(runErr, printErr)
}

// complete fills in the fields that do not decide what is measured.
func (c runCommand) complete(r *run.Run, file *results, shown display) error {
	if r.ID == "" {
		r.ID = file.id()
	}
	if c.Seed != nil || r.Seed == nil {
		r.Seed = c.seed() // a resumed run must find it unchanged
	}
	r.Pin, r.Command = c.Pin, commandToRepeat(os.Args[1:])
	r.Progress, r.ServerLog = shown, shown.Log()
	r.Write = file.Write
	shown.Expect(r.Plan.Cases())
	for _, l := range file.lines {
		shown.Measured(l)
	}
	if c.Profile == nil {
		return nil
	}
	r.Profile = *c.Profile
	dir, err := filepath.Abs(strings.TrimSuffix(file.path, ".jsonl") + ".profiles")
	if err != nil {
		return fmt.Errorf("make directory for profiles: %w", err)
	}
	r.ProfileDir = dir
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make directory for profiles: %w", err)
	}
	return nil
}

// introduce prints what will be measured, how long that may take, and what on the machine may
// disturb it.
func introduce(w io.Writer, r run.Run, file *results) {
	fmt.Fprintf(w, "%s; results go to %s\n", outline(r), file.path)
	if n := len(file.lines); n > 0 {
		fmt.Fprintf(w, "going on: %d of %d slices are there already\n", n, file.lines[0].Plan.Lines)
	}
	sayWhatIsSkipped(w, r.Plan.Skipped)
	for _, text := range r.Warnings() {
		fmt.Fprintln(w, "warning:", text)
	}
}

// outline describes the size of a run in one line.
func outline(r run.Run) string {
	text := fmt.Sprintf("%s of %s", counted(len(r.Plan.Entries), "case"), counted(stacksOf(r), "stack"))
	if control := r.Plan.Control(); control != nil {
		text += fmt.Sprintf(" and a control (%s)", control.Stack.Name)
	}
	if r.Budget > 0 {
		return text + fmt.Sprintf(", as many rounds as fit into %s, %d (about %s) to %d", forPeople(r.Budget), r.Rounds, forPeople(r.Estimate()), r.MostRounds)
	}
	return text + fmt.Sprintf(", %s, about %s", counted(r.Rounds, "round"), forPeople(r.Estimate()))
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func stacksOf(r run.Run) (n int) {
	for _, t := range r.Plan.Targets {
		if t.Replica == "" {
			n++
		}
	}
	return n
}

// print prints the report of the lines, and returns an error if some do not stand.
func (c runCommand) print(out output, lines []result.Line) error {
	if len(lines) == 0 {
		return nil
	}
	if err := writeReport(out.data, report.Find(c.Format), lines); err != nil {
		return err
	}
	for _, l := range lines {
		if result.Disqualified(l.Verdicts) {
			return errVerdict
		}
	}
	return nil
}

// mostSeed is the largest seed that every JSON reader keeps exact.
const mostSeed = 1<<53 - 1

func (c runCommand) seed() *uint64 {
	if c.Seed != nil {
		return c.Seed
	}
	return new(rand.Uint64N(mostSeed))
}

// private are flags whose values do not belong into results: where files go, and a secret.
var private = []string{"--out", "--token"}

// commandToRepeat is the command line as a reader of the results would type it, after
// the variables that change what it measures.
func commandToRepeat(args []string) string {
	var words []string
	for _, assignment := range (result.Environment{Variables: run.Variables()}).Assignments() {
		name, value, _ := strings.Cut(assignment, "=")
		words = append(words, name+"="+quoted(value))
	}
	words = append(words, "go run ./benchmark")
	for i, arg := range args {
		flag, _, _ := strings.Cut(arg, "=")
		if flag == "--resume" || slices.Contains(private, flag) || i > 0 && slices.Contains(private, args[i-1]) {
			continue
		}
		words = append(words, quoted(arg))
	}
	return strings.Join(words, " ")
}

// quoted quotes a word for a shell if necessary.
func quoted(word string) string {
	if word == "" || strings.ContainsFunc(word, special) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// special reports whether the character may mean something to a shell: any that is not known to be
// harmless.
func special(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:,=+@%", r)
}
