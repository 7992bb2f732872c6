package result

import (
	"errors"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Merge adds up histograms of one name, such as those of a case's rounds, bucket by bucket: the
// percentile of the whole is not the average of the parts' percentiles. It leaves out unweighed
// samples, so that the percentiles are those of one slice as long as the run.
func Merge(parts []Histogram) (Histogram, error) {
	if len(parts) == 0 {
		return Histogram{}, errors.New("merge histograms: there are none")
	}
	whole, unweighed := newDistribution(), newDistribution()
	var longest int64
	for _, part := range parts {
		if part.Name != parts[0].Name {
			return Histogram{}, fmt.Errorf("merge histograms: %q and %q are different things", parts[0].Name, part.Name)
		}
		if err := part.addTo(whole, unweighed); err != nil {
			return Histogram{}, err
		}
		longest = max(longest, part.MaxNS)
	}
	if unweighed.TotalCount() > 0 {
		var err error
		if whole, err = without(whole, unweighed); err != nil {
			return Histogram{}, fmt.Errorf("merge histograms %q: %w", parts[0].Name, err)
		}
	}
	merged, err := NewHistogram(parts[0].Name, whole)
	merged.MaxNS = longest
	return merged, err
}

// highest is the end of the range of merged histograms: a day, longer than any call.
const highest = 24 * 3600 * 1_000_000_000

func newDistribution() *hdrhistogram.Histogram { return hdrhistogram.New(1, highest, 3) }

func (h Histogram) addTo(whole, unweighed *hdrhistogram.Histogram) error {
	decoded, err := h.Decode()
	if err != nil {
		return err
	}
	part, err := h.decodeUnweighed()
	if err != nil {
		return err
	}
	dropped := whole.Merge(decoded)
	if part != nil {
		dropped += unweighed.Merge(part)
	}
	if dropped > 0 {
		return fmt.Errorf("merge histograms %q: %d samples lie beyond a day", h.Name, dropped)
	}
	return nil
}

// without subtracts the samples of some from all. Each bucket of some is one of all.
func without(all, some *hdrhistogram.Histogram) (*hdrhistogram.Histogram, error) {
	left := map[int64]int64{}
	for _, bucket := range some.Distribution() {
		left[bucket.To] = bucket.Count
	}
	kept := newDistribution()
	for _, bucket := range all.Distribution() {
		if err := kept.RecordValues(bucket.To, bucket.Count-left[bucket.To]); err != nil {
			return nil, fmt.Errorf("leave out what is unweighed: %w", err)
		}
	}
	return kept, nil
}
