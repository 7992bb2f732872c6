package run

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
)

// measure measures one slice and completes its line, except for its place in the run.
func (u *underway) measure(ctx context.Context, e plan.Entry, round int) (result.Line, error) {
	srv := u.servers.of(e)
	runtime.GC() // this slice should not clean up after the one before
	started := time.Now()
	line, err := u.call(ctx, e, srv, round)
	if ctx.Err() == nil {
		if limit := exhausted(line.FirstError); limit != nil {
			return line, limit
		}
	}
	line.Schema, line.Run, line.Seed, line.Plan, line.Environment = result.SchemaVersion, u.ID, new(u.seed()), u.planned, u.env
	line.Started, line.Case, line.Method = started, e.Case, result.MethodVersion
	srv.watched(&line)
	if errors.Is(err, load.ErrInterrupted) {
		line.Verdicts = []result.Verdict{result.Partial}
	}
	line.Verdicts = result.Judge(&line)
	line.Metrics = slices.Concat([]result.Metric{}, line.Metrics) // never null
	return line, err
}

// call lets the scenario call the server, and adds the cost to the line. If there are other
// workers, it meets them before and after.
func (u *underway) call(ctx context.Context, e plan.Entry, srv *server, round int) (result.Line, error) {
	turn := u.turn()
	before := read(e, srv, turn.waited())
	if err := turn.enter(ctx); err != nil {
		return result.Line{}, err
	}
	line, err := u.slice(ctx, e, srv, round, turn)
	if err == nil || errors.Is(err, load.ErrInterrupted) {
		u.ended = turn.end(ctx, &line)
	}
	enter(&line, before, read(e, srv, turn.waited()))
	attribute(&line)
	return line, err
}

// slice makes the calls of a slice. A server that answered nothing in its last slice must first
// answer one call: otherwise each of its slices would take until every call has timed out, and the
// run would take hours.
func (u *underway) slice(ctx context.Context, e plan.Entry, srv *server, round int, turn *turn) (result.Line, error) {
	if u.hung[srv] {
		line, err := scenario.Probe(ctx, srv.probed())
		if err != nil || line.Calls == 0 {
			return line, err
		}
		delete(u.hung, srv)
	}
	profiles, err := u.startProfiles(round, e.Case, srv)
	if err != nil {
		return result.Line{}, err
	}
	setup := u.setup(e, srv)
	setup.LastSeen, setup.Meet = u.lastSeen(srv), turn.meet()
	line, err := e.Scenario.Measure(ctx, setup, e.Case)
	err = errors.Join(err, profiles.stop())
	line.Profiles = profiles.files
	if srv != nil && line.Calls == 0 && line.Errors[ranOut] > 0 {
		u.hung[srv] = true
	}
	return line, err
}

// lastSeen returns when the last slice on the server ended. Before the first, it assumes that
// slices are spread evenly over a round.
func (u *underway) lastSeen(srv *server) time.Time {
	if srv == nil {
		return time.Time{}
	}
	if !srv.left.IsZero() {
		return srv.left
	}
	turns := 0
	for _, e := range u.Plan.Round(2) {
		if e.Target == srv.target {
			turns++
		}
	}
	return time.Now().Add(-max(0, u.guessRound(2)/time.Duration(max(1, turns))-u.window()))
}

// ranOut is the code of calls whose time ran out.
const ranOut = "deadline_exceeded"

// setup is what a slice of the entry is measured with.
func (r Run) setup(e plan.Entry, srv *server) (s scenario.Setup) {
	if srv != nil {
		s = srv.Setup
	}
	s.Caller, s.Window, s.Deadline = e.Caller, r.window(), r.Deadline
	return s
}
