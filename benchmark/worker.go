package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

type workerCommand struct {
	selection
	Index      *int          `env:"JOB_COMPLETION_INDEX,SLURM_PROCID" placeholder:"I" help:"Which of the workers this is, from 0."`
	Count      *int          `env:"JOB_COMPLETIONS,SLURM_NTASKS" placeholder:"N" help:"How many workers there are."`
	RunID      string        `name:"run-id" env:"SLURM_JOB_ID" placeholder:"ID" help:"Names the run; the same on all workers."`
	Rendezvous string        `placeholder:"HOST:PORT" help:"Where the workers meet: an address of worker 0, which opens the port. One worker alone needs none."`
	Wait       time.Duration `default:"1m" help:"How long a worker may take to come to the meeting point, and each later one to a slice beyond what that takes."`
	GoOn       bool          `help:"Go on, with marked results, without workers that do not come, are lost, or have another plan or build. Unless given, the run then fails on all."`
	Seed       *uint64       `placeholder:"N" help:"Seed of the order of cases within the rounds; worker 0 draws it if it is not given."`
	Out        string        `default:"results" placeholder:"DIR" help:"Directory for the file of this worker's result lines, ID.worker-I.jsonl; - prints them."`
}

// Help is what `benchmark worker --help` says beside the flags.
func (workerCommand) Help() string {
	return `N workers load the same servers together, each slice in one window. Each writes a shard; benchmark merge adds them up.
In a Job of Kubernetes with completionMode Indexed, and in a job step of Slurm, index and count need no flag.

Exit status: 0 if all results stand, 1 if one does not or the run failed, 2 for a mistake in the command, 130 if interrupted.`
}

// Run measures as one of the workers.
func (c workerCommand) Run(ctx context.Context, out output) error {
	if err := c.check(); err != nil {
		return usageError{err}
	}
	r, err := c.newRun(ctx)
	if err != nil {
		return err
	}
	shard, err := c.newShard(out.data)
	if err != nil {
		return err
	}
	team, leave, err := c.join(ctx, &r)
	if err != nil {
		return errors.Join(interruptedBy(ctx, err), shard.Close())
	}
	log := out.log
	if c.Out == toStdout { // otherwise both would mix on one output
		log = io.Discard
	}
	shown := newDisplay(log)
	r.Team, r.ID, r.Seed, r.Command = team, c.RunID, &team.Member.Seed, commandToRepeat(os.Args[1:])
	r.Write, r.Progress, r.ServerLog = shard.write, shown, shown.Log()
	shown.Expect(r.Plan.Cases())
	fmt.Fprintf(shown.Log(), "worker %d of %d: %s; results go to %s\n", team.Index, team.Count, outline(r), shard.path)
	err = r.Do(ctx)
	shown.Close()
	leave(ctx, err)
	if err == nil {
		err = shard.verdict()
	}
	return errors.Join(err, shard.Close())
}

// validID matches names of runs that can be names of files.
var validID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// check finds mistakes outside of the selection.
func (c workerCommand) check() error {
	switch {
	case c.Index == nil || c.Count == nil:
		return errors.New("a worker needs --index and --count, which an Indexed Job of Kubernetes (with JOB_COMPLETIONS) and Slurm set by themselves")
	case *c.Count < 1:
		return fmt.Errorf("--count %d: want 1 at least", *c.Count)
	case *c.Index < 0 || *c.Index >= *c.Count:
		return fmt.Errorf("--index %d: want 0 to %d, for --count is %d", *c.Index, *c.Count-1, *c.Count)
	case !validID.MatchString(c.RunID):
		return fmt.Errorf("--run-id %q: want letters, digits, dots, dashes and underscores, the same on all workers", c.RunID)
	case c.Rendezvous == "" && *c.Count > 1:
		return errors.New("--rendezvous HOST:PORT is missing: several workers need a place to meet, at worker 0")
	case len(c.Target) == 0:
		return errors.New("a worker starts no server: it needs --target NAME=HOST:PORT")
	case len(c.Stacks) > 0, c.Peers, c.Publish, c.Control != nil, len(c.Comparisons) > 0:
		return errors.New("a worker starts no server: --target takes the place of --stacks, --peers, --comparisons, --control and --publish")
	case c.Wait < time.Second || c.Wait > time.Hour:
		return fmt.Errorf("--wait %v: want 1s to 1h", c.Wait)
	}
	if c.Rendezvous != "" {
		if _, _, err := net.SplitHostPort(c.Rendezvous); err != nil {
			return fmt.Errorf("--rendezvous %q: want HOST:PORT", c.Rendezvous)
		}
	}
	return within("seed", c.Seed, 0, mostSeed)
}

// newRun prepares the worker's part of the run.
func (c workerCommand) newRun(ctx context.Context) (run.Run, error) {
	if len(c.Scenarios) == 0 {
		c.Scenarios = []string{"unary"}
	}
	r, err := c.selection.newRun(ctx, nil)
	if err != nil {
		return r, err
	}
	for _, e := range r.Plan.Entries {
		if !e.Case.Timed() || e.Case.Load > 0 || e.Scenario.OwnClient {
			return r, usageError{fmt.Errorf("workers cannot measure %s together: its slices do not last for a time that is known before. "+
				"They can unary, channels, client-stream and open-fixed", e.Case.Scenario)}
		}
	}
	for _, t := range r.Plan.Targets {
		if *c.Index > 0 {
			t.Figures = nil // worker 0 asks for all of them
		}
	}
	return r, nil
}

// interruptedBy returns run.ErrInterrupted if ctx has ended, else the error.
func interruptedBy(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return run.ErrInterrupted
	}
	return err
}

// toStdout is the value of --out for standard output.
const toStdout = "-"

// shard is where a worker's lines go.
type shard struct {
	*result.Writer
	path         string
	write        func(result.Line) error
	lines, wrong int
}

// newShard creates the file. It must not exist yet: two attempts' lines must not be in one file.
func (c workerCommand) newShard(stdout io.Writer) (*shard, error) {
	s := &shard{path: "standard output"}
	write := func(l result.Line) error { return result.WriteLine(stdout, l) }
	if c.Out != toStdout {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return nil, fmt.Errorf("make directory for results: %w", err)
		}
		s.path = filepath.Join(c.Out, fmt.Sprintf("%s.worker-%d.jsonl", c.RunID, *c.Index))
		file, err := os.OpenFile(s.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("make shard: %w", err)
		}
		if s.Writer, err = result.NewWriter(s.path); err != nil {
			return nil, err
		}
		write = s.Write
	}
	s.write = func(l result.Line) error {
		if err := write(l); err != nil {
			return err
		}
		s.lines++
		if result.Disqualified(l.Verdicts) {
			s.wrong++
		}
		return nil
	}
	return s, nil
}

// Close closes the file, if there is one, and removes it if it is empty.
func (s *shard) Close() error {
	if s.Writer == nil {
		return nil
	}
	err := s.Writer.Close()
	if s.lines == 0 {
		err = errors.Join(err, os.Remove(s.path))
	}
	return err
}

// verdict returns an error if a line does not stand.
func (s *shard) verdict() error {
	if s.wrong == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d results do not stand: benchmark report says why", s.wrong, s.lines)
}

// meetingAddr returns where worker 0 listens. If the workers were given a loopback address, it is
// that. Otherwise it is the port on all addresses of this machine, because the name that others use
// for it may mean another address here.
func meetingAddr(rendezvous string) string {
	host, port, _ := net.SplitHostPort(rendezvous) // was checked
	if ip := net.ParseIP(strings.Trim(host, "[]")); host == "localhost" || ip != nil && ip.IsLoopback() {
		return rendezvous
	}
	return net.JoinHostPort("", port)
}
