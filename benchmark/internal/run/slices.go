package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

// slicesVersion is the version of the protocol with which one version of this program lets another
// measure single slices. It is one line of JSON each way for the opening and for each slice, on
// standard input and output. Both sides must have the same.
const slicesVersion = 1

// opening announces which slices will be asked for.
type opening struct {
	Version    int      `json:"version"` // slicesVersion
	Stacks     []string `json:"stacks"`
	Scenarios  []string `json:"scenarios"`
	Client     []string `json:"client"` // as in a run's --client; none means without the flag
	SliceNS    int64    `json:"slice_ns"`
	DeadlineNS int64    `json:"deadline_ns"` // 0 means that each scenario has its own
	Pin        bool     `json:"pin"`
	Calibrate  bool     `json:"calibrate"` // measure capacities, to set the rates of cases that have a load
}

// opened is the answer, given once all servers run.
type opened struct {
	Version     int                `json:"version"`
	Error       string             `json:"error,omitempty"` // why no slice can be measured
	Schema      int                `json:"schema"`
	Method      int                `json:"method"`
	Environment result.Environment `json:"environment"`
	Cases       []result.Case      `json:"cases"` // that can be asked for
}

// sliceRequest asks for one slice.
type sliceRequest struct {
	Round int         `json:"round"`
	Case  result.Case `json:"case"` // with its rate, if it has a load
}

// sliceAnswer is the answer.
type sliceAnswer struct {
	Error string      `json:"error,omitempty"` // why there is no line
	Line  result.Line `json:"line"`            // without its place in the run
}

// AnswerSlices measures single slices on request, for another version of this program that takes
// turns with this one, until in ends. The servers stay up meanwhile.
func AnswerSlices(ctx context.Context, in io.Reader, out, log io.Writer) error {
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	var first opening
	if err := requests.Decode(&first); err != nil {
		return fmt.Errorf("read what is to be measured: %w", err)
	}
	a, err := openAnswerer(ctx, first, log)
	if err != nil {
		return errors.Join(err, answers.Encode(opened{Version: slicesVersion, Error: err.Error()}))
	}
	defer a.close()
	if err := answers.Encode(a.opened); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	for {
		var next sliceRequest
		if err := requests.Decode(&next); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read which slice is to be measured: %w", err)
		}
		if err := answers.Encode(a.answer(ctx, next)); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
}

// answerer measures slices on request.
type answerer struct {
	underway
	opened  opened
	entries map[plan.Key]plan.Entry
	unpin   func()
}

// openAnswerer starts the servers. What it returns is to be closed.
func openAnswerer(ctx context.Context, o opening, log io.Writer) (*answerer, error) {
	if o.Version != slicesVersion {
		return nil, fmt.Errorf("slices are asked for by version %d of the protocol, and this program has version %d", o.Version, slicesVersion)
	}
	measured, err := plan.Selection{Stacks: o.Stacks, Scenarios: o.Scenarios, Client: o.Client, Control: new(false)}.Plan(ctx, 1)
	if err != nil {
		return nil, err
	}
	r := Run{
		Plan: measured, Rounds: 1, Window: time.Duration(o.SliceNS), Deadline: time.Duration(o.DeadlineNS),
		Pin: o.Pin, Progress: unseen{}, ServerLog: log,
	}
	cpus, unpin, err := r.pin()
	if err != nil {
		return nil, err
	}
	a := &answerer{underway: underway{Run: r, env: environment(ctx, r), hung: make(map[*server]bool)}, entries: measured.ByKey(), unpin: unpin}
	if a.servers, err = start(ctx, measured.Targets, cpus, log); err != nil {
		unpin()
		return nil, err
	}
	if o.Calibrate {
		if a.rates, err = r.calibrate(ctx, a.servers); err != nil {
			a.close()
			return nil, err
		}
	}
	a.opened = opened{Version: slicesVersion, Schema: result.SchemaVersion, Method: result.MethodVersion, Environment: a.env}
	for _, e := range measured.Entries {
		if o.Calibrate {
			e = a.rates.rated(e)
		}
		a.opened.Cases = append(a.opened.Cases, e.Case)
	}
	return a, nil
}

// answer measures the slice.
func (a *answerer) answer(ctx context.Context, next sliceRequest) sliceAnswer {
	e, ok := a.entries[plan.KeyOf(next.Case)]
	if !ok {
		return sliceAnswer{Error: fmt.Sprintf("the case %s is not among those that were offered", plan.Words(next.Case))}
	}
	e.Case.Rate = next.Case.Rate
	line, err := a.measure(ctx, e, next.Round)
	a.servers.reportExits(a.ServerLog)
	if err != nil && !errors.Is(err, load.ErrInterrupted) {
		return sliceAnswer{Error: err.Error()}
	}
	return sliceAnswer{Line: line}
}

func (a *answerer) close() {
	if err := errors.Join(a.closeCallers(), a.servers.stop()); err != nil {
		fmt.Fprintln(a.ServerLog, err)
	}
	a.unpin()
}

// unseen is the Progress of a run that shows nothing itself.
type unseen struct{}

func (unseen) Prepare(string)             {}
func (unseen) Begin(At, result.Case)      {}
func (unseen) Measured(result.Line)       {}
func (unseen) End(At, int, time.Duration) {}
