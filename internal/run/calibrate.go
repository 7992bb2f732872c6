package run

import (
	"context"
	"errors"
	"fmt"
	"math"

	"example.com/greet/internal/load"
	"example.com/greet/internal/scenario"
)

// capacities are closed-loop capacities in calls a second, by scenario and stack.
type capacities map[[2]string]float64

// calibrate measures the capacity of every stack that a scenario's cases load a
// fraction of. It is done once, so that the rates are the same in every round.
func (r Run) calibrate(ctx context.Context, servers *servers) (capacities, error) {
	measured := make(capacities)
	for _, s := range r.slices(1) {
		key := [2]string{s.kase.Scenario, s.kase.Stack}
		if _, done := measured[key]; done || s.kase.Load == 0 || s.scenario.Calibrate == nil {
			continue
		}
		capacity, err := s.scenario.Calibrate(ctx, servers.byStack[s.kase.Stack].Target)
		if errors.Is(err, load.ErrInterrupted) {
			return nil, ErrInterrupted
		}
		if err != nil {
			return nil, fmt.Errorf("measure the capacity of %s: %w", s.kase.Stack, err)
		}
		measured[key] = capacity
	}
	return measured, nil
}

// rated gives the case of the slice its rate of arrivals, if it has a load.
func (c capacities) rated(s slice) slice {
	if s.kase.Load > 0 {
		s.kase.Rate = rate(s.kase.Load * c[[2]string{s.kase.Scenario, s.kase.Stack}])
	}
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

// target is what a slice calls: zero for a scenario that runs in process.
func (r Run) target(s *server) scenario.Target {
	if s == nil {
		return scenario.Target{}
	}
	t := s.Target
	if t.Window = r.Window; t.Window == 0 {
		t.Window = defaultWindow
	}
	return t
}
