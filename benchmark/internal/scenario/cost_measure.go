package scenario

import (
	"context"
	"errors"
	"maps"
	"slices"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
)

// costWarmup is how many calls come before the counted ones. For long streams and large messages it
// is a fifth of the counted ones.
const costWarmup = 200

// costSlice is one slice of the scenario.
type costSlice struct {
	setup Setup
	of    result.Case
}

// measure reads the counters around the calls.
func (s costSlice) measure(ctx context.Context) (result.Line, error) {
	return s.called(ctx, s.costs)
}

// called dials and warms up, then count makes the calls.
func (s costSlice) called(ctx context.Context, count func(call func() load.Tally) ([]result.Metric, error)) (result.Line, error) {
	clients, err := s.setup.dial(1, s.of.Concurrency)
	if err != nil {
		return result.Line{}, err
	}
	call, plan := costCall(clients[0], s.of), s.plan()
	warmed := load.WarmUp(ctx, call, plan)
	var all load.Tally
	metrics, err := count(func() load.Tally {
		tally, _ := load.Run(ctx, call, plan)
		all = sum(all, tally)
		return tally
	})
	all.Warmed = warmed
	line := countsOf(all)
	line.Opened = clients.Connections()
	if all.Failures() == 0 && ctx.Err() == nil {
		line.Metrics = metrics
	}
	if ctx.Err() != nil {
		err = load.ErrInterrupted
	}
	return line, errors.Join(err, clients.Close())
}

func (s costSlice) plan() load.Plan {
	return load.Plan{
		Concurrency: s.of.Concurrency,
		Calls:       int64(s.of.Calls),
		Warmup:      max(int64(s.of.Concurrency), min(costWarmup, int64(s.of.Calls)/5)),
		Deadline:    s.setup.deadline(callDeadline),
		Patience:    slicePatience,
	}
}

// sum adds up the calls of both.
func sum(a, b load.Tally) load.Tally {
	errorCodes := make(map[string]int64)
	for _, t := range []load.Tally{a, b} {
		for code, count := range t.Errors {
			errorCodes[code] += count
		}
	}
	a.Errors = errorCodes
	if a.Text == "" {
		a.Text = b.Text
	}
	a.Calls, a.Sent, a.Received, a.Window = a.Calls+b.Calls, a.Sent+b.Sent, a.Received+b.Received, a.Window+b.Window
	return a
}

// costs returns the cost per call or per message.
func (s costSlice) costs(call func() load.Tally) ([]result.Metric, error) {
	meter := s.setup.Meter
	if meter == nil {
		call()
		return nil, nil
	}
	var readings [3]Reading
	var errs [3]error
	readings[0], errs[0] = meter.Read()
	readings[1], errs[1] = meter.Read()
	tally := call()
	readings[2], errs[2] = meter.Read()
	if tally.Failures() > 0 || tally.Calls == 0 {
		return nil, nil // a server that died meanwhile gets its verdict elsewhere
	}
	return s.metrics(readings, s.units(tally)), errors.Join(errs[:]...)
}

// units is the number of calls or messages that divides the cost.
func (s costSlice) units(t load.Tally) float64 {
	if perMessage(s.of) {
		return float64(t.Received)
	}
	return float64(t.Calls)
}

// per names a metric of one call or message, such as allocations_per_call_server.
func (s costSlice) per(what string, side string) string {
	if perMessage(s.of) {
		return what + "_per_message_" + side
	}
	return what + "_per_call_" + side
}

// counted are the totals of a process, as metrics. A total of 0 is unknown.
var counted = []struct {
	name, unit string
	of         func(Totals) int64
	per        float64 // of the total, to have the unit
}{
	{"allocations", "1", func(t Totals) int64 { return t.Allocs }, 1},
	{"allocated_bytes", "B", func(t Totals) int64 { return t.AllocBytes }, 1},
	{"switches_voluntary", "1", func(t Totals) int64 { return t.Voluntary }, 1},
	{"switches_involuntary", "1", func(t Totals) int64 { return t.Involuntary }, 1},
	{"cpu_user", "µs", func(t Totals) int64 { return t.UserNS }, 1000},
	{"cpu_system", "µs", func(t Totals) int64 { return t.SystemNS }, 1000},
}

// metrics divides what was used between the last two readings by the units. It first subtracts the
// price of a reading, which is what was used between the first two.
func (s costSlice) metrics(r [3]Reading, units float64) []result.Metric {
	var metrics []result.Metric
	each := func(name, unit string, of func(Reading) int64, per float64) {
		used := float64(of(r[2])-of(r[1])) - float64(of(r[1])-of(r[0]))
		metrics = append(metrics, lower(name, unit, max(0, used)/per/units))
	}
	for _, side := range []Side{ServerSide, ClientSide} {
		for _, total := range counted {
			of := func(r Reading) int64 { return total.of(r.side(side)) }
			if of(r[2]) > 0 {
				each(s.per(total.name, string(side)), total.unit, of, total.per)
			}
		}
	}
	// A connection that was replaced meanwhile has lost its count.
	if len(r[1].Ports) > 0 && slices.Equal(r[1].Ports, r[2].Ports) {
		each(s.per("wire_bytes", "sent"), "B", func(r Reading) int64 { return r.Sent }, 1)
		each(s.per("wire_bytes", "received"), "B", func(r Reading) int64 { return r.Received }, 1)
	}
	return metrics
}

func (r Reading) side(s Side) Totals {
	if s == ClientSide {
		return r.Client
	}
	return r.Server
}

// measureSyscalls makes the calls once while strace traces the server, and once while it traces the
// client.
func (s costSlice) measureSyscalls(ctx context.Context) (result.Line, error) {
	return s.called(ctx, func(call func() load.Tally) ([]result.Metric, error) {
		if s.setup.Meter == nil {
			call()
			return nil, nil
		}
		var metrics []result.Metric
		for _, side := range []Side{ServerSide, ClientSide} {
			var tally load.Tally
			counts, err := s.setup.Meter.Syscalls(side, func() { tally = call() })
			if err != nil || tally.Failures() > 0 || tally.Calls == 0 {
				return nil, err
			}
			metrics = append(metrics, s.syscalls(side, counts, s.units(tally))...)
		}
		return metrics, nil
	})
}

// rareSyscall is how often a system call must occur per call or message to be listed by name. The
// runtime makes rarer ones now and then.
const rareSyscall = 0.05

// syscalls returns the number of system calls in all and by name.
func (s costSlice) syscalls(side Side, counts map[string]int64, units float64) []result.Metric {
	var sum int64
	var named []result.Metric
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		sum += counts[name]
		if each := float64(counts[name]) / units; each >= rareSyscall {
			named = append(named, lower(s.per("syscalls", string(side)+"_"+name), "1", each))
		}
	}
	all := lower(s.per("syscalls", string(side)), "1", float64(sum)/units)
	return append([]result.Metric{all}, named...)
}
