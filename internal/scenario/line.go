package scenario

import (
	"time"

	"example.com/greet/internal/load"
	"example.com/greet/internal/result"
)

// lineOf enters what a window came to into a result line.
func lineOf(t load.Tally, warmup int) (result.Line, error) {
	line := result.Line{
		WarmupCalls: warmup,
		WindowNS:    t.Window.Nanoseconds(),
		Calls:       t.Calls,
		Sent:        t.Sent,
		Received:    t.Received,
		Errors:      t.Errors,
		FirstError:  t.Text,
	}
	if t.Calls == 0 {
		return line, nil
	}
	latency, err := result.NewHistogram("latency", t.Latency)
	if err != nil {
		return line, err
	}
	line.Histograms = []result.Histogram{latency}
	return line, nil
}

// perSecond is a rate over the window.
func perSecond(name, unit string, amount float64, window time.Duration) result.Metric {
	return result.Metric{Name: name, Unit: unit, Better: result.Higher, Value: amount / window.Seconds()}
}
