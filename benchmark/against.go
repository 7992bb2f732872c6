package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

const (
	// againstTime is about how long a run against another version takes, unless its rounds are
	// given.
	againstTime = time.Minute
	// fewestPairs is the least number of rounds. It can show differences larger than the scatter.
	fewestPairs = 10
	mostPairs   = 60
)

// takeTurns measures this version of the program and another in the same rounds, and prints the
// comparison.
func (c runCommand) takeTurns(ctx context.Context, out output) error {
	if err := c.checkTurns(); err != nil {
		return usageError{err}
	}
	r, err := c.newRun(ctx, nil)
	if err != nil {
		return err
	}
	if c.Rounds == nil {
		r.Rounds = 1
		r.Rounds = min(max(fewestPairs, int(againstTime/(2*r.Estimate()))), mostPairs)
	}
	that, remove, err := otherVersion(ctx, c.Against, out.log)
	if err != nil {
		return err
	}
	defer remove()
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	files, err := newPair(c.Out)
	if err != nil {
		return err
	}
	defer files.close()
	shown := newDisplay(out.log)
	if err := c.complete(&r, files.this, shown); err != nil {
		return err
	}
	introduce(shown.Log(), r, files.this)
	fmt.Fprintf(shown.Log(), "each slice is measured twice, by this version and by %s, whose results go to %s\n", that.Name, files.that.path)
	that.Write = files.that.Write
	runErr := r.TakeTurns(ctx, [2]run.Side{{Name: "this version", Program: program, Write: files.this.Write}, that})
	shown.Close()
	if len(files.this.lines) == 0 || len(files.that.lines) == 0 {
		return runErr
	}
	printErr := c.printTurns(out, files)
	if runErr != nil && errors.Is(printErr, errVerdict) {
		return runErr
	}
	return errors.Join(runErr, printErr)
}

// checkTurns refuses flags that make no sense for two versions.
func (c runCommand) checkTurns() error {
	for flag, given := range map[string]bool{
		"--resume": c.Resume.wanted, "--profile": c.Profile != nil, "--peers": c.Peers, "--publish": c.Publish,
		"--target": len(c.Target) > 0, "--control": c.Control != nil && *c.Control,
	} {
		if given {
			return fmt.Errorf("--against and %s: such a run compares two versions of this program, and nothing else", flag)
		}
	}
	if report.Find(c.Format).Comparison == nil {
		return fmt.Errorf("--against and --format %s: want %s", c.Format, strings.ReplaceAll(compareFormats(), ",", " or "))
	}
	return nil
}

// printTurns prints the comparison, and says whether the results stand.
func (c runCommand) printTurns(out output, files pair) error {
	comparison, err := result.CompareAcross(files.that.lines, files.this.lines)
	if err != nil {
		return err
	}
	if err := printComparison(out.data, c.Format, comparison); err != nil {
		return err
	}
	for _, one := range comparison.Cases {
		if one.Disqualified() {
			return errVerdict
		}
	}
	return nil
}

// pair are the files of the two versions.
type pair struct{ this, that *results }

// newPair creates two files with one new name.
func newPair(dir string) (p pair, err error) {
	if p.this, err = newResults(dir); err != nil {
		return p, err
	}
	path := strings.TrimSuffix(p.this.path, ".jsonl") + ".against.jsonl"
	writer, err := result.NewWriter(path)
	if err != nil {
		return p, errors.Join(err, p.this.Close())
	}
	p.that = &results{Writer: writer, path: path}
	return p, nil
}

func (p pair) close() {
	_ = errors.Join(p.this.Close(), p.that.Close()) // every line is on the disk already
}

// otherVersion returns the program at the path name. If there is no such file it builds the commit
// of that name. The caller must call remove.
func otherVersion(ctx context.Context, name string, log io.Writer) (side run.Side, remove func(), err error) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		path, err := filepath.Abs(name)
		return run.Side{Name: name, Program: path}, func() {}, err
	}
	commit, err := outputOf(exec.CommandContext(ctx, "git", "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}"))
	if err != nil {
		return side, nil, usageError{fmt.Errorf("--against %s: it is neither a program's file nor a commit", name)}
	}
	dir, err := os.MkdirTemp("", "greet-against-")
	if err != nil {
		return side, nil, fmt.Errorf("make directory for the other version: %w", err)
	}
	tree, program := filepath.Join(dir, "tree"), filepath.Join(dir, "benchmark")
	remove = func() {
		_ = exec.Command("git", "worktree", "remove", "--force", tree).Run() // also when ctx has ended
		_ = os.RemoveAll(dir)
	}
	fmt.Fprintf(log, "building %s\n", name)
	if err := buildIn(ctx, tree, program, commit); err != nil {
		remove()
		return side, nil, err
	}
	// It runs in the tree, where it finds its commit.
	return run.Side{Name: name, Program: program, Dir: tree}, remove, nil
}

// buildIn checks the commit out and builds its program.
func buildIn(ctx context.Context, tree, program, commit string) error {
	if _, err := outputOf(exec.CommandContext(ctx, "git", "worktree", "add", "--detach", tree, commit)); err != nil {
		return fmt.Errorf("check out %s: %w", commit, err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./benchmark")
	build.Dir = tree
	if _, err := outputOf(build); err != nil {
		return fmt.Errorf("build %s: %w", commit, err)
	}
	return nil
}

// outputOf returns what the command prints, without the space around it. The error contains its
// complaints.
func outputOf(cmd *exec.Cmd) (string, error) {
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil && complaints.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return strings.TrimSpace(string(out)), err
}
