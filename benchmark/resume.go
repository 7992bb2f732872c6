package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// resumed is the flag --resume, which may be given a file: --resume=FILE.
type resumed struct {
	wanted bool
	file   string
}

// Decode implements kong.MapperValue.
func (r *resumed) Decode(ctx *kong.DecodeContext) error {
	r.wanted = true
	if token := ctx.Scan.Peek(); token.Type == kong.FlagValueToken {
		return ctx.Scan.PopValueInto("FILE", &r.file)
	}
	return nil
}

// IsBool tells kong that the flag needs no value.
func (r *resumed) IsBool() bool { return true }

// preparer makes the run that a command line asks for. It resumes from the lines, if there are any.
type preparer func(context.Context, []result.Line) (run.Run, error)

// begin prepares the run and opens its file, which is new without --resume.
func (r *resumed) begin(ctx context.Context, dir string, prepare preparer) (*results, run.Run, error) {
	if !r.wanted {
		one, err := prepare(ctx, nil)
		return &results{}, one, err
	}
	path := r.file
	if path == "" {
		var err error
		if path, err = newest(ctx, dir, prepare); err != nil {
			return nil, run.Run{}, err
		}
	}
	if tracked(ctx, path) {
		return nil, run.Run{}, fmt.Errorf("resume: %s is published: git tracks it", path)
	}
	writer, lines, err := result.ResumeWriter(path)
	if err != nil {
		return nil, run.Run{}, fmt.Errorf("resume: %w", err)
	}
	one, err := prepare(ctx, lines)
	if err != nil {
		err = errors.Join(err, writer.Close())
	}
	return &results{writer, path, lines}, one, err
}

// candidate is a result file with its first line.
type candidate struct {
	path  string
	first result.Line
}

// newest returns the file in the directory whose run began last, of those with the plan that the
// command line asks for.
func newest(ctx context.Context, dir string, prepare preparer) (string, error) {
	files, err := candidates(ctx, dir)
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", usageError{errors.New("--resume: no result file in " + dir + " to go on with; name one with --resume=FILE")}
	}
	var reason error // why the newest does not fit
	for i, file := range files {
		one, err := prepare(ctx, []result.Line{file.first})
		if _, usage := errors.AsType[usageError](err); usage {
			return "", err
		}
		if err == nil {
			err = one.CheckPlan(file.first)
		}
		if err == nil || errors.Is(err, run.ErrWhole) {
			return file.path, nil
		}
		if i == 0 {
			reason = fmt.Errorf("the newest is %s: %w", file.path, err)
		}
	}
	return "", fmt.Errorf("--resume: no run in %s has this plan; %w", dir, reason)
}

// candidates lists the result files in the directory that a run may resume from. The run that began
// last comes first.
func candidates(ctx context.Context, dir string) ([]candidate, error) {
	files, err := resultFiles(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("resume: %w", err)
	}
	var all []candidate
	for _, path := range files {
		if first, err := result.ReadFirst(path); err == nil && !tracked(ctx, path) {
			all = append(all, candidate{path, first})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return b.first.Started.Compare(a.first.Started) })
	return all, nil
}

// tracked reports whether git tracks the file. Pages are made from such files.
func tracked(ctx context.Context, path string) bool {
	list := exec.CommandContext(ctx, "git", "--literal-pathspecs", "ls-files", "--error-unmatch", "--", filepath.Base(path))
	list.Dir = filepath.Dir(path)
	return list.Run() == nil
}
