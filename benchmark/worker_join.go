package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"example.com/greet/benchmark/internal/rendezvous"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
)

// join connects the worker to the meeting point, which worker 0 opens, and waits for all others.
// The caller calls leave at the end, with the error that kept the worker from it.
func (c workerCommand) join(ctx context.Context, r *run.Run) (team *run.Team, leave func(context.Context, error), err error) {
	hello := c.hello(ctx, r)
	addr := c.Rendezvous
	closeHost := func(context.Context) {}
	if *c.Index == 0 {
		host, err := rendezvous.Listen(ctx, meetingAddr(cmp.Or(addr, "127.0.0.1:0")), rendezvous.Config{
			First: hello, Count: *c.Count, Seed: *c.seed(), Wait: c.Wait, Patience: c.Wait + r.LongestSlice(), GoOn: c.GoOn,
		})
		if err != nil {
			return nil, nil, err
		}
		addr = host.Addr()
		closeHost = func(ctx context.Context) { _ = host.Close(ctx) } // nothing is lost with it
	}
	member, err := rendezvous.Join(ctx, addr, hello, c.Wait)
	if err != nil {
		closeHost(ctx)
		return nil, nil, err
	}
	leave = func(ctx context.Context, err error) {
		reason := ""
		if err != nil {
			reason = err.Error()
		}
		_ = member.Close(reason)
		closeHost(ctx)
	}
	return &run.Team{Member: member, Index: *c.Index, Count: *c.Count, Host: run.Machine()}, leave, nil
}

func (c workerCommand) seed() *uint64 { return runCommand{Seed: c.Seed}.seed() }

// hello describes this worker and what it measures.
func (c workerCommand) hello(ctx context.Context, r *run.Run) rendezvous.Hello {
	name, err := os.Hostname()
	if err != nil {
		name = "an unnamed host"
	}
	env, seed := run.Environment(ctx, ""), "drawn"
	if c.Seed != nil {
		seed = strconv.FormatUint(*c.Seed, 10)
	}
	return rendezvous.Hello{Run: c.RunID, Index: *c.Index, Host: name, Trouble: c.unreachable(ctx, r), Facts: []rendezvous.Fact{
		{Name: "number of workers", Value: strconv.Itoa(*c.Count)},
		{Name: "version", Value: fmt.Sprintf("schema %d, method %d", result.SchemaVersion, result.MethodVersion)},
		{Name: "commit", Value: env.Commit},
		{Name: "build", Value: fmt.Sprintf("%s %s %s/%s, program %s", env.Go, env.Build, env.OS, env.Arch, env.Program)},
		{Name: "plan", Value: fmt.Sprintf("%d slices (%s)", r.Plan.Lines(r.Rounds), r.Plan.Hash())},
		{Name: "number of rounds", Value: strconv.Itoa(r.Rounds)},
		{Name: "slice", Value: r.Window.String()},
		{Name: "deadline", Value: r.Deadline.String()},
		{Name: "seed", Value: seed},
	}}
}

// unreachable says which target the worker does not reach. Servers may start at the same time as
// workers, so they have half of the waiting time to appear; the rest is for reporting it.
func (c workerCommand) unreachable(ctx context.Context, r *run.Run) string {
	deadline := time.Now().Add(c.Wait / 2)
	for {
		err := r.CheckTargets(ctx)
		if err == nil || ctx.Err() != nil {
			return ""
		}
		if time.Now().After(deadline) {
			return "cannot " + err.Error()
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}
