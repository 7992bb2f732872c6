package run

import (
	"cmp"
	"context"
	"os"
	"time"

	"example.com/greet/benchmark/internal/rendezvous"
	"example.com/greet/benchmark/internal/result"
)

// Team is this process's membership in a group of workers that make one run together.
type Team struct {
	Member *rendezvous.Member
	Index  int
	Count  int
	Host   string // a hash, equal for workers on one machine
}

// turn is one slice that the workers make together. On nil, each method does nothing: a run of one
// process has no team.
type turn struct {
	team  *Team
	slice int // from 0
	start time.Time
	late  time.Duration
}

// turn returns the turn of the run's next slice.
func (u *underway) turn() *turn {
	if u.Team == nil {
		return nil
	}
	u.turns++
	return &turn{team: u.Team, slice: u.turns - 1}
}

// enter waits until no worker makes calls any more.
func (t *turn) enter(ctx context.Context) error {
	if t == nil {
		return nil
	}
	_, err := t.team.Member.Pass(ctx, rendezvous.Enter(t.slice))
	return err
}

// meet returns the Meet of the slice's load.Plan.
func (t *turn) meet() func(context.Context) (time.Time, error) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context) (start time.Time, err error) {
		t.start, err = t.team.Member.Pass(ctx, rendezvous.Begin(t.slice))
		t.late = max(0, time.Since(t.start))
		return t.start, err
	}
}

// end waits for the others' last calls, and records in the line how well the workers agreed. Even
// with an error the line stands: the run has ended for all.
func (t *turn) end(ctx context.Context, l *result.Line) error {
	if t == nil {
		return nil
	}
	_, err := t.team.Member.Pass(ctx, rendezvous.End(t.slice))
	m := t.team.Member
	l.Worker = &result.Worker{
		Index: t.team.Index, Count: t.team.Count, Host: t.team.Host,
		OffsetNS: m.Offset.By.Nanoseconds(), RoundTripNS: m.Offset.RoundTrip.Nanoseconds(),
		LateNS: t.late.Nanoseconds(), Lost: m.Lost,
	}
	if !t.start.IsZero() {
		l.Worker.StartUS = m.HostNS(t.start) / 1000
	}
	return err
}

// waited returns how long this process has waited for others so far.
func (t *turn) waited() time.Duration {
	if t == nil {
		return 0
	}
	return t.team.Member.Waited
}

// attribute moves the server's usage to that of all workers together, if there are several.
func attribute(l *result.Line) {
	if l.Worker != nil {
		l.Worker.Accepted, l.Worker.Server = l.Accepted, l.Server
		l.Accepted, l.Server = nil, nil
	}
}

// LongestSlice is how long a slice may take, from its first warm-up call to the end of its
// last call.
func (r Run) LongestSlice() time.Duration {
	const warmup = 20 * time.Second // no scenario's warm-up may take longer
	deadline := cmp.Or(r.Deadline, 10*time.Second)
	return warmup + max(r.window(), time.Second) + 2*deadline
}

// Machine identifies a machine without naming it, until it restarts: all containers on it have the
// same. It is not the Host of an Environment.
func Machine() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return hostHash()
	}
	return hashed(id)
}
