package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/greet/benchmark/internal/result"
)

// results is the file for a run's lines, and the lines in it.
type results struct {
	*result.Writer
	path  string
	lines []result.Line
}

// newResults creates a file with a new name in the directory.
func newResults(dir string) (*results, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make directory for results: %w", err)
	}
	var unique [2]byte
	_, _ = rand.Read(unique[:]) // never fails
	name := time.Now().UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(unique[:]) + ".jsonl"
	path := filepath.Join(dir, name)
	writer, err := result.NewWriter(path)
	if err != nil {
		return nil, err
	}
	return &results{Writer: writer, path: path}, nil
}

// Write appends the line to the file and keeps it.
func (r *results) Write(l result.Line) error {
	l = l.Clipped()
	err := r.Writer.Write(l)
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: the lines before it are whole; once there is room, --resume=%s goes on", err, r.path)
	case err != nil:
		return err
	}
	r.lines = append(r.lines, l)
	return nil
}

// Close closes the file, if there is one, and removes it if it is empty.
func (r *results) Close() error {
	if r.Writer == nil {
		return nil
	}
	err := r.Writer.Close()
	if len(r.lines) == 0 {
		err = errors.Join(err, os.Remove(r.path))
	}
	return err
}

// resumable reports whether the file has a line to resume from.
func (r *results) resumable() bool {
	return slices.ContainsFunc(r.lines, func(l result.Line) bool { return !slices.Contains(l.Verdicts, result.Partial) })
}

// id names the run after its file.
func (r *results) id() string { return strings.TrimSuffix(filepath.Base(r.path), ".jsonl") }
