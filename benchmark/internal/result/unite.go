package result

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unite merges the lines of the workers of one run, in any order: each slice becomes one line.
// Calls, connections and rates add up, histograms are merged, and the case has the calls in flight
// and the connections of all workers. A slice whose shards are incomplete has the verdict
// Incomplete, and FirstError says why.
//
// Lines that no worker wrote, and lines of two runs, are an error.
func Unite(lines []Line) ([]Line, error) {
	if err := oneRun(lines); err != nil {
		return nil, err
	}
	shards := slices.Clone(lines)
	slices.SortStableFunc(shards, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Case.Key(), b.Case.Key()), cmp.Compare(a.Worker.Index, b.Worker.Index))
	})
	first := slices.MinFunc(shards, func(a, b Line) int { return cmp.Compare(a.Worker.Index, b.Worker.Index) })
	var united []Line
	for len(shards) > 0 {
		n := slices.IndexFunc(shards, func(l Line) bool { return l.Round != shards[0].Round || l.Case.Key() != shards[0].Case.Key() })
		if n < 0 {
			n = len(shards)
		}
		line, err := unite(shards[:n], first)
		if err != nil {
			return nil, err
		}
		united, shards = append(united, line), shards[n:]
	}
	slices.SortStableFunc(united, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Order, b.Order))
	})
	return united, nil
}

// oneRun returns an error unless all lines are shards of one run.
func oneRun(lines []Line) error {
	if len(lines) == 0 {
		return errors.New("merge shards: there is no line")
	}
	for i := range lines {
		l, first := &lines[i], &lines[0]
		switch {
		case l.Worker == nil:
			return fmt.Errorf("merge shards: round %d of run %s is no shard: it does not say which worker wrote it", l.Round, l.Run)
		case l.Run != first.Run:
			return fmt.Errorf("merge shards: they are of two runs, %s and %s", first.Run, l.Run)
		case l.Worker.Count != first.Worker.Count:
			return fmt.Errorf("merge shards: worker %d of run %s is one of %d, and worker %d one of %d",
				first.Worker.Index, first.Run, first.Worker.Count, l.Worker.Index, l.Worker.Count)
		}
	}
	return nil
}

// unite merges the shards of a slice, which are sorted by worker.
func unite(shards []Line, first Line) (Line, error) {
	whole, problems := shardsOf(shards, first)
	l := whole[0]
	l.Worker, l.Workers = nil, workersOf(whole)
	l.Plan, l.Environment = first.Plan, first.Environment
	l.Case = caseOf(whole)
	l.Client, l.Profiles = clientOf(whole), nil
	l.Accepted, l.Server = whole[0].Worker.Accepted, whole[0].Worker.Server
	l.WarmupErrors, l.Errors, l.Verdicts = nil, nil, nil
	for i, s := range whole {
		if i > 0 {
			l.addCounts(s)
		}
		l.WarmupErrors, l.Errors = added(l.WarmupErrors, s.WarmupErrors), added(l.Errors, s.Errors)
		l.FirstError = cmp.Or(l.FirstError, s.FirstError)
		for _, v := range []Verdict{Partial, ClientSaturated} {
			if slices.Contains(Judge(&s), v) {
				l.Verdicts = append(l.Verdicts, v)
			}
		}
	}
	var err error
	if l.Metrics, err = addMetrics(&l, whole); err != nil {
		return l, fmt.Errorf("merge shards of %s: %w", l.Case.Key(), err)
	}
	if l.Histograms, err = addHistograms(whole); err != nil {
		return l, fmt.Errorf("merge shards of %s: %w", l.Case.Key(), err)
	}
	if len(problems) > 0 {
		l.Verdicts = append(l.Verdicts, Incomplete)
		l.FirstError = strings.Join(problems, "; ")
	}
	l.Verdicts = Judge(&l)
	return l, nil
}

// shardsOf returns one shard for each worker, and says what is wrong with them.
func shardsOf(shards []Line, first Line) (whole []Line, problems []string) {
	reference := shards[0]
	there, lost := map[int]bool{}, map[int]bool{}
	for _, s := range shards {
		for _, index := range s.Worker.Lost {
			lost[index] = true
		}
		who := fmt.Sprintf("worker %d", s.Worker.Index)
		if there[s.Worker.Index] {
			problems = append(problems, who+" is there twice")
			continue
		}
		there[s.Worker.Index] = true
		whole = append(whole, s)
		if field := otherPlan(s, first); field != "" {
			problems = append(problems, who+" has another "+field)
		} else if s.Worker.StartUS == 0 || reference.Worker.StartUS == 0 {
			continue // no window began, for which there is an error
		} else if apart := s.Worker.StartUS - reference.Worker.StartUS; max(apart, -apart)*1000 > s.sliceNS()/10 {
			problems = append(problems, fmt.Sprintf("%s began %d µs after worker %d", who, apart, reference.Worker.Index))
		}
	}
	for index := range first.Worker.Count {
		if !there[index] && !lost[index] {
			problems = append(problems, fmt.Sprintf("worker %d is missing", index))
		}
	}
	return whole, problems
}

// otherPlan names the first difference between the plan or build of a shard and the first worker's.
func otherPlan(s, first Line) string {
	switch {
	case s.Plan == nil || first.Plan == nil:
		return "plan: it does not say which"
	case s.Plan.Cases != first.Plan.Cases, s.Plan.Rounds != first.Plan.Rounds, s.Plan.SliceNS != first.Plan.SliceNS,
		s.Plan.DeadlineNS != first.Plan.DeadlineNS, s.OrderSeed() != first.OrderSeed():
		return "plan"
	case s.Method != first.Method:
		return "version"
	case s.Environment.Commit != first.Environment.Commit, s.Environment.Go != first.Environment.Go, s.Environment.Build != first.Environment.Build:
		return "build"
	}
	return ""
}

func workersOf(shards []Line) *Workers {
	w := &Workers{Count: shards[0].Worker.Count, Shards: len(shards)}
	hosts, lost := map[string]bool{}, map[int]bool{}
	for _, s := range shards {
		hosts[s.Worker.Host] = true
		for _, index := range s.Worker.Lost {
			lost[index] = true
		}
		w.OffsetNS = max(w.OffsetNS, s.Worker.OffsetNS, -s.Worker.OffsetNS)
		w.RoundTripNS, w.LateNS = max(w.RoundTripNS, s.Worker.RoundTripNS), max(w.LateNS, s.Worker.LateNS)
	}
	w.Hosts, w.Lost = len(hosts), slices.Sorted(maps.Keys(lost))
	return w
}

// caseOf returns the case of all workers together.
func caseOf(shards []Line) Case {
	c := shards[0].Case
	for _, s := range shards[1:] {
		c.Concurrency += s.Case.Concurrency
		c.Connections += s.Case.Connections
		c.Rate += s.Case.Rate
	}
	return c
}

// clientOf adds up the usage of the clients over the longest of their times. It is nil if one is
// unknown.
func clientOf(shards []Line) *Usage {
	var sum Usage
	for _, s := range shards {
		if s.Client == nil {
			return nil
		}
		sum.UserNS += s.Client.UserNS
		sum.SystemNS += s.Client.SystemNS
		sum.Allocs += s.Client.Allocs
		sum.AllocBytes += s.Client.AllocBytes
		sum.GCPauseNS += s.Client.GCPauseNS
		sum.PeakBytes += s.Client.PeakBytes
		sum.WallNS = max(sum.WallNS, s.Client.WallNS)
	}
	return &sum
}

// addCounts adds another worker's counts. All windows began at one time; that of an open loop lasts
// until the last call has ended.
func (l *Line) addCounts(s Line) {
	if s.Started.Before(l.Started) {
		l.Started = s.Started
	}
	l.WarmupCalls += s.WarmupCalls
	l.WindowNS, l.OverrunNS = max(l.WindowNS, s.WindowNS), max(l.OverrunNS, s.OverrunNS)
	l.UnseenNS = min(l.UnseenNS, s.UnseenNS)
	l.Calls += s.Calls
	l.AfterWindow += s.AfterWindow
	l.Sent += s.Sent
	l.Received += s.Received
	l.Opened += s.Opened
}

func added(sum, more map[string]int64) map[string]int64 {
	for code, n := range more {
		if sum == nil {
			sum = map[string]int64{}
		}
		sum[code] += n
	}
	return sum
}
