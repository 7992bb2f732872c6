package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/result"
)

// rates hold the rates of arrivals for cases that have a load.
type rates struct {
	// capacities are closed-loop capacities in calls a second.
	capacities map[calibration]float64
	// known are the rates of an earlier part of the run, by unrated case.
	known map[string]float64
}

// calibration identifies a capacity.
type calibration struct{ scenario, stack, client string }

func calibrationOf(c result.Case) calibration { return calibration{c.Scenario, c.Stack, c.Client} }

// calibrates reports whether the entry's rate is a share of a capacity.
func calibrates(e plan.Entry) bool { return e.Case.Load > 0 && e.Scenario.Calibrate != nil }

// calibrationPasses is how often each capacity is measured, in turn with the others: a single
// measurement would depend on what else the machine does in that moment.
const calibrationPasses = 5

// calibrate measures the capacities that the cases with a load need. It does so before the first
// round, so that all rounds have the same rates.
func (r Run) calibrate(ctx context.Context, servers *servers) (rates, error) {
	found := rates{make(map[calibration]float64), knownRates(r.done)}
	open := r.uncalibrated(found)
	samples := make([][]float64, len(open))
	for pass := range calibrationPasses {
		for i, e := range open {
			if pass > 0 && samples[i][pass-1] == 0 {
				samples[i] = append(samples[i], 0) // another try would take as long as calls may take
				continue
			}
			capacity, err := r.capacity(ctx, e, servers)
			if err != nil {
				return rates{}, err
			}
			samples[i] = append(samples[i], capacity)
		}
	}
	for i, e := range open {
		slices.Sort(samples[i])
		found.capacities[calibrationOf(e.Case)] = samples[i][calibrationPasses/2]
		fmt.Fprintf(r.ServerLog, "capacity of %s for %s, client %s: %.0f calls/s (%.0f to %.0f in %d slices)\n",
			e.Case.Stack, e.Case.Scenario, e.Case.Client, samples[i][calibrationPasses/2], samples[i][0], samples[i][calibrationPasses-1], calibrationPasses)
	}
	return found, nil
}

// uncalibrated returns one entry for each unknown capacity.
func (r Run) uncalibrated(known rates) (entries []plan.Entry) {
	seen := make(map[calibration]bool)
	for _, e := range r.Plan.Entries {
		key := calibrationOf(e.Case)
		if calibrates(e) && !seen[key] && known.known[plan.Unrated(e.Case)] == 0 {
			seen[key] = true
			entries = append(entries, e)
		}
	}
	return entries
}

func (r Run) capacity(ctx context.Context, e plan.Entry, servers *servers) (float64, error) {
	r.Progress.Prepare(fmt.Sprintf("measuring the capacity of %s for %s", e.Case.Stack, e.Case.Scenario))
	capacity, err := e.Scenario.Calibrate(ctx, r.setup(e, servers.of(e)))
	switch {
	case errors.Is(err, load.ErrInterrupted):
		return 0, ErrInterrupted
	case err != nil:
		return 0, fmt.Errorf("measure the capacity of %s: %w", e.Case.Stack, err)
	}
	return capacity, nil
}

// rated sets the entry's rate of arrivals, if it has a load.
func (r rates) rated(e plan.Entry) plan.Entry {
	if e.Case.Load == 0 {
		return e
	}
	if known := r.known[plan.Unrated(e.Case)]; known > 0 {
		e.Case.Rate = known
		return e
	}
	e.Case.Rate = rate(e.Case.Load * max(leastCapacity, r.capacities[calibrationOf(e.Case)]))
	return e
}

// leastCapacity is the assumed capacity, in calls a second, of a server that answered nothing:
// enough to see its errors, and to give each load a rate of its own.
const leastCapacity = 10

// rate rounds to three digits, since the capacity is no more exact.
func rate(perSecond float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(perSecond))-2)
	if unit >= 1 {
		return math.Round(perSecond/unit) * unit
	}
	return math.Round(perSecond/unit) / math.Round(1/unit) // 0.1 has no exact unit
}
