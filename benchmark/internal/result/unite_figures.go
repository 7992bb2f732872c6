package result

import (
	"errors"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// addMetrics returns each metric of the shards once, for all workers together.
func addMetrics(l *Line, shards []Line) ([]Metric, error) {
	metrics := []Metric{}
	if l.Calls == 0 {
		return metrics, nil
	}
	known := map[string]bool{}
	for _, s := range shards {
		for _, m := range s.Metrics {
			if known[m.Name] {
				continue
			}
			known[m.Name] = true
			value, err := sumOf(m, l, shards)
			if err != nil {
				return nil, err
			}
			m.Value = value
			metrics = append(metrics, m)
		}
	}
	return metrics, nil
}

// sumOf returns the value of a metric for all workers. A rate is the sum of their amounts over
// their common window.
func sumOf(m Metric, l *Line, shards []Line) (value float64, err error) {
	seconds := float64(l.WindowNS) / 1e9
	switch {
	case l.amounts()[m.Unit] > 0:
		return l.amounts()[m.Unit] / seconds, nil
	case m.Name == "time_per_call" && m.Unit == "µs":
		return seconds * 1e6 / float64(l.Calls), nil
	case m.Name != Late && m.Name != Unsent:
		return 0, fmt.Errorf("nobody knows how %s in %s adds up", m.Name, m.Unit)
	}
	for _, s := range shards {
		for _, of := range s.Metrics {
			if of.Name == m.Name && m.Name == Unsent {
				value += of.Value
			} else if of.Name == m.Name {
				value += of.Value * float64(s.Calls) / float64(l.Calls)
			}
		}
	}
	return value, nil
}

// addHistograms merges the histograms of each name, bucket by bucket.
func addHistograms(shards []Line) ([]Histogram, error) {
	var names []string
	parts := map[string][]Histogram{}
	for _, s := range shards {
		for _, h := range s.Histograms {
			if parts[h.Name] == nil {
				names = append(names, h.Name)
			}
			parts[h.Name] = append(parts[h.Name], h)
		}
	}
	var merged []Histogram
	for _, name := range names {
		h, err := uniteHistograms(parts[name])
		if err != nil {
			return nil, fmt.Errorf("histogram %q: %w", name, err)
		}
		merged = append(merged, h)
	}
	return merged, nil
}

// uniteHistograms adds up histograms of one slice. All must have the same bounds: then no sample
// changes its bucket, and one beyond the range still shows as such.
func uniteHistograms(parts []Histogram) (Histogram, error) {
	var all, unweighed *hdrhistogram.Histogram
	for _, part := range parts {
		decoded, err := part.Decode()
		if err != nil {
			return Histogram{}, err
		}
		some, err := part.decodeUnweighed()
		if err != nil {
			return Histogram{}, err
		}
		if all, err = into(all, decoded); err == nil {
			unweighed, err = into(unweighed, some)
		}
		if err != nil {
			return Histogram{}, err
		}
	}
	return NewHistogramWithUnweighed(parts[0].Name, all, unweighed)
}

// into adds the part to the sum; each may be nil.
func into(sum, part *hdrhistogram.Histogram) (*hdrhistogram.Histogram, error) {
	switch {
	case part == nil:
		return sum, nil
	case sum == nil:
		return part, nil
	case sum.LowestTrackableValue() != part.LowestTrackableValue(), sum.HighestTrackableValue() != part.HighestTrackableValue(),
		sum.SignificantFigures() != part.SignificantFigures():
		return nil, errors.New("the shards have histograms of other bounds")
	}
	if dropped := sum.Merge(part); dropped > 0 {
		return nil, fmt.Errorf("%d samples do not fit", dropped)
	}
	return sum, nil
}
