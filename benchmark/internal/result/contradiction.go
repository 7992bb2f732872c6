package result

import (
	"fmt"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// slack is how far two figures for the same thing may differ. Libraries round buckets differently,
// and other programs print fewer digits.
const slack = 0.01

// contradictions finds what a schema cannot say: parts of a line that do not agree
// with each other.
func contradictions(l *Line) []violation {
	found := slices.Concat(namedTwice(l), histogramContradictions(l))
	if l.Plan != nil && l.Round > l.Plan.Rounds {
		found = append(found, violation{"round", fmt.Sprintf("it is %d, and the plan has %d", l.Round, l.Plan.Rounds)})
	}
	if l.Case.Rate > 0 && l.OverrunNS > l.WindowNS {
		found = append(found, violation{"overrun_ns", fmt.Sprintf("it is %d, and the window, of which it is a part, has %d ns", l.OverrunNS, l.WindowNS)})
	}
	// A disqualified line shows no number. Whoever measured it may have been stopped at any point.
	if len(found) == 0 && !Disqualified(Judge(l)) {
		found = slices.Concat(countContradictions(l), rateContradictions(l))
	}
	return found
}

func namedTwice(l *Line) (found []violation) {
	seen := map[string]bool{}
	for i, m := range l.Metrics {
		if seen[m.Name] {
			found = append(found, violation{fmt.Sprintf("metrics[%d].name", i), fmt.Sprintf("%q is given twice", m.Name)})
		}
		seen[m.Name] = true
	}
	clear(seen)
	for i, h := range l.Histograms {
		if seen[h.Name] {
			found = append(found, violation{fmt.Sprintf("histograms[%d].name", i), fmt.Sprintf("%q is given twice", h.Name)})
		}
		seen[h.Name] = true
	}
	return found
}

func histogramContradictions(l *Line) (found []violation) {
	for i, h := range l.Histograms {
		if text := contradictsItself(h); text != "" {
			found = append(found, violation{fmt.Sprintf("histograms[%d]", i), text})
		}
	}
	return found
}

// contradictsItself compares the plain figures of a histogram with its buckets.
func contradictsItself(h Histogram) string {
	decoded, err := h.Decode()
	if err != nil {
		return err.Error()
	}
	if mean := decoded.Mean(); !alike(h.MeanNS, mean) {
		return fmt.Sprintf("mean_ns is %.0f, its buckets say %.0f", h.MeanNS, mean)
	}
	// Times beyond the range of the buckets are in the last of them.
	most := decoded.Max()
	if beyond := clamped(h) && h.MaxNS > most; !beyond && !alike(float64(h.MaxNS), float64(most)) {
		return fmt.Sprintf("max_ns is %d, its buckets say %d", h.MaxNS, most)
	}
	for _, p := range h.Percentiles() {
		if text := p.contradicts(h.Count, decoded); text != "" {
			return text
		}
	}
	return unweighedContradicts(h, decoded)
}

func (p Percentile) contradicts(count int64, decoded *hdrhistogram.Histogram) string {
	switch thin := p.thinFor(count); {
	case thin && p.NS == nil:
		return ""
	case thin:
		return fmt.Sprintf("%s is given, but fewer than %d of %d samples lie beyond it: it must be null", p.Name, thinBeyond, count)
	case p.NS == nil:
		return fmt.Sprintf("%s is null, but %d samples are enough for it", p.Name, count)
	}
	want := decoded.ValueAtPercentile(float64(p.perTenThousand) / 100)
	if !alike(float64(*p.NS), float64(want)) {
		return fmt.Sprintf("%s is %d ns, its buckets say %d ns", p.Name, *p.NS, want)
	}
	return ""
}

// unweighedContradicts checks that the unweighed samples are a part of all.
func unweighedContradicts(h Histogram, all *hdrhistogram.Histogram) string {
	unweighed, err := h.decodeUnweighed()
	if err != nil {
		return err.Error()
	}
	if unweighed == nil {
		return ""
	}
	left := map[int64]int64{}
	for _, bucket := range all.Distribution() {
		left[bucket.To] += bucket.Count
	}
	for _, bucket := range unweighed.Distribution() {
		if left[bucket.To] < bucket.Count {
			return fmt.Sprintf("encoded_unweighed has %d samples up to %d ns, encoded has %d", bucket.Count, bucket.To, left[bucket.To])
		}
	}
	return ""
}

// countContradictions compares the messages and samples with the number of calls.
func countContradictions(l *Line) (found []violation) {
	sent, received := l.Case.messages()
	off, each := l.Sent-l.Calls*sent, fmt.Sprint(sent)
	var drawn int64 // by how many a call's messages may differ from that
	if l.Case.Mode == "client_stream" {
		drawn, each = 1, fmt.Sprintf("%d to %d", sent-1, sent+1)
	}
	if l.Case.Mode != "" && max(off, -off) > l.Calls*drawn {
		found = append(found, violation{"messages_sent", fmt.Sprintf("it is %d, and %d calls send %s each", l.Sent, l.Calls, each)})
	}
	if l.Case.Mode != "" && l.Received != l.Calls*received {
		found = append(found, violation{"messages_received", fmt.Sprintf("it is %d, and %d calls receive %d each", l.Received, l.Calls, received)})
	}
	if h, ok := l.histogram(Latency); ok && h.Count != l.Calls+l.AfterWindow {
		found = append(found, violation{"histograms", fmt.Sprintf("%s has %d samples of %d calls", Latency, h.Count, l.Calls+l.AfterWindow)})
	}
	return found
}

// messages returns how many messages each call of the case sends and receives.
func (c Case) messages() (sent, received int64) {
	sent, received = 1, 1
	if c.Mode == "client_stream" || c.Mode == "bidi" {
		sent = int64(c.Messages)
	}
	if c.Mode == "server_stream" || c.Mode == "bidi" {
		received = int64(c.Messages)
	}
	return sent, received
}

// rateContradictions compares rates with the counts that they come from.
func rateContradictions(l *Line) (found []violation) {
	amounts := l.amounts()
	for i, m := range l.Metrics {
		amount, known := amounts[m.Unit]
		if want := amount / (float64(l.WindowNS) / 1e9); known && math.Abs(m.Value-want) > slack*want {
			found = append(found, violation{fmt.Sprintf("metrics[%d].value", i),
				fmt.Sprintf("%s is %.6g %s, and the counts over the window are %.6g", m.Name, m.Value, m.Unit, want)})
		}
	}
	return found
}

// amounts are the counts behind rates, by the rates' units.
func (l *Line) amounts() map[string]float64 {
	return map[string]float64{
		"req/s": float64(l.Calls), "msg/s": float64(l.Received), "round trips/s": float64(l.Received),
		"MB/s": float64(l.Calls) * float64(l.Case.Payload) / 1e6,
	}
}

// alike allows for the slack, and for one more nanosecond in times.
func alike(got, want float64) bool { return math.Abs(got-want) <= slack*want+1 }
