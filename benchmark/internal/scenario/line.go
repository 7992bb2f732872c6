package scenario

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
)

// lineOf makes a result line of a window's tally. A window without a success has no figures.
func (m measurement) lineOf(t load.Tally, c result.Case) (result.Line, error) {
	line := countsOf(t)
	if t.Calls > 0 {
		line.Metrics = m.metrics(t)
	} else if t.AfterWindow == 0 {
		return line, nil
	}
	parts := []struct {
		name  string
		times *load.Times
	}{{"first_message", m.record.First}, {"gap", m.record.Gap}, {"round_trip", m.record.Trip}}
	for _, part := range parts {
		if part.times == nil {
			continue
		}
		if err := addHistogram(&line, part.name, part.times.Histogram(), nil); err != nil {
			return line, err
		}
	}
	if len(line.Histograms) > 0 || c.Calls == 1 {
		return line, nil // one call has no distribution
	}
	if m.service {
		if err := addHistogram(&line, "service", t.Service, t.ServiceUnweighed); err != nil {
			return line, err
		}
	}
	return line, addHistogram(&line, result.Latency, t.Latency, t.LatencyUnweighed)
}

// countsOf makes a result line with counts only.
func countsOf(t load.Tally) result.Line {
	line := result.Line{
		WindowNS:    t.Window.Nanoseconds(),
		OverrunNS:   t.Overrun.Nanoseconds(),
		Calls:       t.Calls,
		AfterWindow: t.AfterWindow,
		Sent:        t.Sent,
		Received:    t.Received,
		Errors:      t.Errors,
		FirstError:  t.Text,
		// The warm-up's failures disqualify the case too: users cannot wait for a server to be
		// warm.
		WarmupCalls:  int(t.Warmed.Calls),
		WarmupErrors: t.Warmed.Errors,
	}
	if t.Warmed.Text != "" {
		line.FirstError = "in the warm-up: " + t.Warmed.Text
	}
	return line
}

func addHistogram(line *result.Line, name string, all, unweighed *hdrhistogram.Histogram) error {
	sum, err := result.NewHistogramWithUnweighed(name, all, unweighed)
	if err == nil {
		line.Histograms = append(line.Histograms, sum)
	}
	return err
}

// perSecond is a rate over the window.
func perSecond(name, unit string, amount float64, window time.Duration) result.Metric {
	return result.Metric{Name: name, Unit: unit, Better: result.Higher, Value: amount / window.Seconds()}
}

// rateAlone returns the rate of calls as the only figure.
func rateAlone(t load.Tally) []result.Metric { return []result.Metric{callRate(t)} }

// callRate is the rate of calls that succeeded.
func callRate(t load.Tally) result.Metric {
	return perSecond("rate", "req/s", float64(t.Calls), t.Window)
}

// messageRate is the rate of messages that the client received.
func messageRate(t load.Tally) result.Metric {
	return perSecond("message_rate", "msg/s", float64(t.Received), t.Window)
}

// lower is a metric of which less is better.
func lower(name, unit string, value float64) result.Metric {
	return result.Metric{Name: name, Unit: unit, Better: result.Lower, Value: value}
}
