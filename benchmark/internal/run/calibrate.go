package run

import (
	"context"
	"errors"
	"fmt"
	"math"

	"example.com/greet/benchmark/internal/load"
)

// rates are what cases that have a load get their rate of arrivals from.
type rates struct {
	// capacities are closed-loop capacities in calls a second, by scenario and stack.
	capacities map[[2]string]float64
	// known are the rates that a part of the run had already, by unrated case.
	known map[string]float64
}

// calibrate measures the capacity of every stack that a scenario's cases load a
// fraction of. It is done once, so that the rates are the same in every round.
func (r Run) calibrate(ctx context.Context, servers *servers) (rates, error) {
	found := rates{make(map[[2]string]float64), knownRates(r.done)}
	for _, s := range r.slices(1) {
		key := [2]string{s.kase.Scenario, s.kase.Stack}
		if _, done := found.capacities[key]; done || s.kase.Load == 0 || s.scenario.Calibrate == nil {
			continue
		}
		if found.known[unrated(s.kase)] > 0 {
			continue
		}
		r.Progress.Prepare(fmt.Sprintf("measuring the capacity of %s for %s", s.kase.Stack, s.kase.Scenario))
		capacity, err := s.scenario.Calibrate(ctx, r.target(servers.of(s.kase)))
		if errors.Is(err, load.ErrInterrupted) {
			return rates{}, ErrInterrupted
		}
		if err != nil {
			return rates{}, fmt.Errorf("measure the capacity of %s: %w", s.kase.Stack, err)
		}
		found.capacities[key] = capacity
	}
	return found, nil
}

// rated gives the case of the slice its rate of arrivals, if it has a load.
func (r rates) rated(s slice) slice {
	if s.kase.Load == 0 {
		return s
	}
	if known := r.known[unrated(s.kase)]; known > 0 {
		s.kase.Rate = known
		return s
	}
	s.kase.Rate = rate(s.kase.Load * r.capacities[[2]string{s.kase.Scenario, s.kase.Stack}])
	return s
}

// rate rounds to three digits: the capacity is known no better. A server that
// answered nothing gets one call a second, so that its errors are seen.
func rate(perSecond float64) float64 {
	if perSecond <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(perSecond))-2)
	if unit >= 1 {
		return math.Round(perSecond/unit) * unit
	}
	return math.Round(perSecond/unit) / math.Round(1/unit) // 0.1 has no exact unit
}
