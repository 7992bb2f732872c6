package plot

import (
	"math"
	"slices"
)

// scale maps values to a distance in pixels.
type scale struct {
	log       bool
	low, high float64 // values at its two ends
	from, to  float64 // pixels there
}

// at returns the position of a value in pixels.
func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	return s.from + (v-low)/(high-low)*(s.to-s.from)
}

// fit makes a scale with room for all values on an axis of that length. If all values are positive,
// a linear scale begins at 0, so that a difference does not look larger than it is.
func fit(axis Axis, values []float64, from, to float64) scale {
	low, high := slices.Min(values), slices.Max(values)
	switch {
	case axis.Log:
		const room = 1.12
		low, high = low/room, high*room
	default:
		low, high = min(0, low), high+(high-min(0, low))*0.05
	}
	if low == high {
		high = low + 1
	}
	return scale{axis.Log, low, high, from, to}
}

// wantedTicks is the number of ticks to aim for.
const wantedTicks = 5

// ticks chooses round values within the scale: multiples of a power of ten.
func (s scale) ticks() []float64 {
	if s.log {
		return s.logTicks()
	}
	step := niceStep((s.high - s.low) / wantedTicks)
	var values []float64
	for i := math.Ceil(s.low / step); i*step <= s.high; i++ {
		values = append(values, i*step)
	}
	return values
}

// niceStep is the first of 1, 2, 5 times a power of ten that is not below the step.
func niceStep(step float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= step {
			return m * unit
		}
	}
	return 10 * unit
}

// logTicks returns whole decades, and values between them if those are too few.
func (s scale) logTicks() []float64 {
	var values []float64
	for _, within := range [][]float64{{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}} {
		values = nil
		for decade := math.Floor(math.Log10(s.low)); decade <= math.Log10(s.high); decade++ {
			for _, m := range within {
				if v := m * math.Pow(10, decade); v >= s.low && v <= s.high {
					values = append(values, v)
				}
			}
		}
		if len(values) >= wantedTicks-1 {
			break
		}
	}
	return values
}
