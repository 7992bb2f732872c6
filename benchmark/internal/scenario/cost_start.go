package scenario

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
)

// measureStart starts another server of the stack and calls it once. All that the server has used
// by then is the cost of its start.
func measureStart(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
	if t.Meter == nil {
		return called(ctx, t, c, 1) // the server that runs already; its start is over
	}
	begun := time.Now()
	fresh, stop, err := t.another(ctx)
	if err != nil {
		return result.Line{}, interruptedOr(ctx, err)
	}
	listening := time.Since(begun)
	line, err := called(ctx, fresh, c, 1)
	replied := time.Since(begun)
	line.Opened = 0 // none of them to the server whose connections the run counts
	if err == nil && line.Calls == 1 {
		var used Reading
		if used, err = fresh.Meter.Read(); err == nil {
			line.WindowNS, line.Metrics = replied.Nanoseconds(), startMetrics(listening, replied, used.Server)
		}
	}
	return line, errors.Join(err, stop())
}

// another starts another server of the stack for the same caller.
func (s Setup) another(ctx context.Context, wrapper ...string) (Setup, func() error, error) {
	fresh, stop, err := s.Meter.Start(ctx, wrapper...)
	fresh.Caller = s.Caller
	return fresh, stop, err
}

// interruptedOr returns load.ErrInterrupted if ctx has ended, else the error.
func interruptedOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return load.ErrInterrupted
	}
	return err
}

func startMetrics(listening, replied time.Duration, used Totals) []result.Metric {
	milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	metrics := []result.Metric{
		lower("start_to_listening", "ms", milliseconds(listening)),
		lower("start_to_first_reply", "ms", milliseconds(replied)),
	}
	for _, total := range counted {
		if sum := total.of(used); sum > 0 {
			metrics = append(metrics, lower(total.name+"_start_server", total.unit, float64(sum)/total.per))
		}
	}
	return metrics
}

// called makes n calls of the case in turn, on a connection of their own.
func called(ctx context.Context, t Setup, c result.Case, n int) (result.Line, error) {
	clients, err := t.dial(1, 1)
	if err != nil {
		return result.Line{}, err
	}
	plan := load.Plan{Concurrency: 1, Calls: int64(n), Deadline: t.deadline(callDeadline), Patience: callgrindPatience}
	tally, err := load.Run(ctx, costCall(clients[0], c), plan)
	line := countsOf(tally)
	line.Opened = clients.Connections()
	return line, errors.Join(err, clients.Close())
}

// callgrindPatience bounds the calls of a server that runs some fifty times slower than by itself.
const callgrindPatience = 2 * time.Minute

// measureInstructions runs a server under callgrind for the case's calls, and another for twice as
// many. The difference is the cost of the calls, and the rest that of the start. With one processor
// the server hands nothing from thread to thread, and without garbage collections the figure
// repeats.
func measureInstructions(ctx context.Context, t Setup, c result.Case) (result.Line, error) {
	if t.Meter == nil {
		return called(ctx, t, c, c.Calls)
	}
	line, once, err := underCallgrind(ctx, t, c, c.Calls)
	if err != nil || line.Calls < int64(c.Calls) {
		return line, err
	}
	line, twice, err := underCallgrind(ctx, t, c, 2*c.Calls)
	if err != nil || line.Calls < 2*int64(c.Calls) {
		return line, err
	}
	slice := costSlice{t, c}
	calls := float64(twice - once)
	units := slice.units(load.Tally{Calls: int64(c.Calls), Received: line.Received / 2})
	line.Metrics = []result.Metric{
		lower(slice.per("instructions", string(ServerSide)), "1", max(0, calls)/units),
		lower("instructions_start_server", "1", max(0, float64(once)-calls)),
	}
	return line, nil
}

// underCallgrind makes n calls to a server under callgrind, which counts its instructions until it
// ends.
func underCallgrind(ctx context.Context, t Setup, c result.Case, n int) (line result.Line, instructions int64, err error) {
	dir, err := os.MkdirTemp("", "greet-callgrind-")
	if err != nil {
		return line, 0, fmt.Errorf("count instructions: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "counts")
	// Go's signals for preemption confuse valgrind.
	fresh, stop, err := t.another(ctx, "env", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off",
		"valgrind", "--tool=callgrind", "--callgrind-out-file="+file)
	if err != nil {
		return line, 0, interruptedOr(ctx, err)
	}
	line, err = called(ctx, fresh, c, n)
	line.Opened = 0
	if err = errors.Join(err, stop()); err != nil || len(line.Errors) > 0 {
		return line, 0, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return line, 0, fmt.Errorf("count instructions: %w", err)
	}
	instructions, err = parseInstructions(text)
	return line, instructions, err
}

// callgrindTotal is the line of callgrind's file that has the sum.
var callgrindTotal = regexp.MustCompile(`(?m)^summary: (\d+)$`)

func parseInstructions(file []byte) (int64, error) {
	total := callgrindTotal.FindSubmatch(file)
	if total == nil {
		return 0, errors.New("count instructions: callgrind's file has no summary")
	}
	return strconv.ParseInt(string(total[1]), 10, 64)
}
