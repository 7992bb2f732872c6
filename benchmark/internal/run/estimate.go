package run

import (
	"time"

	"example.com/greet/benchmark/internal/result"
)

// guess estimates the time of a slice, from runs of all Go stacks on two virtual CPUs. On other
// machines it is off by a factor, which a clock corrects once it has seen some slices.
func guess(c result.Case, window time.Duration) time.Duration {
	const (
		around     = 30 * time.Millisecond // a slice: dialling, warm-up, figures of the server
		inProcess  = 140 * time.Millisecond
		perCall    = 100 * time.Microsecond
		roundTrip  = 170 * time.Microsecond // shared by the calls in flight
		perMessage = 65 * time.Microsecond
		perByte    = 4 * time.Nanosecond // there and back
	)
	switch {
	case c.Mode == "":
		return inProcess
	case c.Calls == 0:
		return around + window
	case c.Messages > 1:
		return around + times(c.Calls*c.Messages, perMessage)
	}
	return around + times(c.Calls, perCall+roundTrip/time.Duration(max(1, c.Concurrency))) + times(c.Calls*c.Payload, perByte)
}

func times(n int, d time.Duration) time.Duration { return time.Duration(int64(n) * d.Nanoseconds()) }

// calibrating is about the time of measuring one capacity.
const calibrating = calibrationPasses * 280 * time.Millisecond

// Estimate returns about how long the run will take, before anything is known of the machine.
func (r Run) Estimate() time.Duration {
	took := r.guessRound(1) + time.Duration(r.Rounds-1)*r.guessRound(2)
	if r.Plan.Rehearse {
		took += r.guessRound(2)
	}
	calibrated := make(map[calibration]bool)
	for _, e := range r.Plan.Entries {
		if calibrates(e) {
			calibrated[calibrationOf(e.Case)] = true
		}
	}
	return took + time.Duration(len(calibrated))*calibrating
}

func (r Run) guessRound(round int) (took time.Duration) {
	for _, e := range r.Plan.Round(round) {
		took += guess(e.Case, r.window())
	}
	return took
}

// clock corrects guesses by the time that slices took.
type clock struct {
	left          time.Duration // as guessed, for what is to come
	guessed, took time.Duration // for what was measured
}

// measured moves a slice from what is left to what was measured.
func (c *clock) measured(guessed, took time.Duration) {
	c.left -= guessed
	c.guessed += guessed
	c.took += took
}

// remaining is how long the rest will take.
func (c *clock) remaining() time.Duration {
	if c.guessed == 0 {
		return c.left
	}
	return time.Duration(float64(c.left) * float64(c.took) / float64(c.guessed))
}

// roundsWithin returns how many rounds fit into the budget. round is the time of the rehearsal;
// once is the time of what only the first round measures.
func roundsWithin(budget, round, once time.Duration) int {
	if round <= 0 {
		return 0
	}
	// A run on a shared machine slows down at times; the last round must still fit.
	const reserve = 0.9
	return int((time.Duration(float64(budget)*reserve) - once) / round)
}
