package result

import (
	"errors"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Merge adds up histograms of one name, such as those of a case's rounds, bucket
// by bucket: a percentile of the whole is not the average of the parts'.
func Merge(parts []Histogram) (Histogram, error) { return MergeSeen(parts, 1) }

// MergeSeen merges the histograms of slices whose windows saw the given share of a
// run, so that their percentiles are those of one slice as long as the run.
//
// A second of a window stands for all the seconds like it: for 1/seen of them, where
// windows saw that share of the time that the schedule handed out. A second of an
// overrun was taken from nobody, for while a server is waited for the schedule stands
// still: it stands for itself alone. So samples of overruns count seen times what
// samples of windows do (Horvitz and Thompson, Journal of the American Statistical
// Association 47(260), 1952: weigh each sample by the inverse of the probability with
// which it was drawn). Where one server is measured without a pause, seen is 1 and
// all count alike; where it is one of fifty, the slices are fifty random looks at it,
// and a stall that one of them happens upon must not count for its whole length.
func MergeSeen(parts []Histogram, seen float64) (Histogram, error) {
	if len(parts) == 0 {
		return Histogram{}, errors.New("merge histograms: there are none")
	}
	whole, overruns := newDistribution(), newDistribution()
	var longest int64
	for _, part := range parts {
		if part.Name != parts[0].Name {
			return Histogram{}, fmt.Errorf("merge histograms: %q and %q are different things", parts[0].Name, part.Name)
		}
		if err := part.addTo(whole, overruns); err != nil {
			return Histogram{}, err
		}
		longest = max(longest, part.MaxNS)
	}
	if overruns.TotalCount() > 0 {
		var err error
		if whole, err = thinned(whole, overruns, 1-seen); err != nil {
			return Histogram{}, fmt.Errorf("merge histograms %q: %w", parts[0].Name, err)
		}
	}
	merged, err := NewHistogram(parts[0].Name, whole)
	merged.MaxNS = longest
	return merged, err
}

// highest is the end of the range of merged histograms: a day, which no call takes.
const highest = 24 * 3600 * 1_000_000_000

func newDistribution() *hdrhistogram.Histogram { return hdrhistogram.New(1, highest, 3) }

func (h Histogram) addTo(whole, overruns *hdrhistogram.Histogram) error {
	decoded, err := h.Decode()
	if err != nil {
		return err
	}
	overrun, err := h.decodeOverrun()
	if err != nil {
		return err
	}
	dropped := whole.Merge(decoded)
	if overrun != nil {
		dropped += overruns.Merge(overrun)
	}
	if dropped > 0 {
		return fmt.Errorf("merge histograms %q: %d samples lie beyond a day", h.Name, dropped)
	}
	return nil
}

// thinned returns all without the given share of those samples that are in overruns:
// of each bucket as nearly that share as whole numbers allow, and of all together to
// within one sample. Each bucket of overruns is one of all.
func thinned(all, overruns *hdrhistogram.Histogram, without float64) (*hdrhistogram.Histogram, error) {
	left, due := map[int64]int64{}, 0.0
	for _, bucket := range overruns.Distribution() {
		due += without * float64(bucket.Count)
		taken := min(int64(due), bucket.Count)
		due -= float64(taken)
		left[bucket.To] = taken
	}
	kept := newDistribution()
	for _, bucket := range all.Distribution() {
		if err := kept.RecordValues(bucket.To, bucket.Count-left[bucket.To]); err != nil {
			return nil, fmt.Errorf("weigh overruns: %w", err)
		}
	}
	return kept, nil
}
