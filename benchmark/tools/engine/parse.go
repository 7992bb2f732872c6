package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func parseFloor(text []byte, _ job) (sample, error) {
	var d driven
	if err := json.Unmarshal(text, &d); err != nil {
		return sample{}, err
	}
	window := time.Duration(d.WindowNS)
	return sample{
		calls: d.Calls, warmup: d.Warmup, window: window, rate: float64(d.Calls) / window.Seconds(),
		errors: d.Errors, text: d.Text, peak: d.Peak,
	}, nil
}

var (
	h2loadRate  = regexp.MustCompile(`finished in \S+, ([0-9.]+) req/s`)
	h2loadCalls = regexp.MustCompile(`requests: .* (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout`)
)

// parseH2load reads the summary. What h2load calls a success is a response with
// HTTP status 2xx, which a gRPC call that fails has too.
func parseH2load(text []byte, j job) (sample, error) {
	rate, calls := h2loadRate.FindSubmatch(text), h2loadCalls.FindSubmatch(text)
	if rate == nil || calls == nil {
		return sample{}, errors.New("no summary in it")
	}
	s := sample{window: time.Duration(j.seconds()) * time.Second}
	var err error
	if s.rate, err = strconv.ParseFloat(string(rate[1]), 64); err != nil {
		return sample{}, err
	}
	var counts [4]int64
	for i := range counts {
		if counts[i], err = strconv.ParseInt(string(calls[i+1]), 10, 64); err != nil {
			return sample{}, err
		}
	}
	s.calls = counts[0]
	// Those that it reports as errored include failed ones.
	if failed := max(counts[1], counts[2]) + counts[3]; failed > 0 {
		s.errors, s.text = map[string]int64{"unknown": failed}, string(calls[0])
	}
	return s, nil
}

// parseGhz reads the JSON report. Its rate counts calls of any status, so that it
// stands only if all are OK.
func parseGhz(text []byte, _ job) (sample, error) {
	var r struct {
		Total    int64
		Rate     float64          `json:"rps"`
		Statuses map[string]int64 `json:"statusCodeDistribution"`
		Errors   map[string]int64 `json:"errorDistribution"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return sample{}, err
	}
	if r.Total <= 0 {
		return sample{}, errors.New("no total time in it")
	}
	s := sample{window: time.Duration(r.Total), rate: r.Rate, calls: r.Statuses["OK"]}
	for status, n := range r.Statuses {
		if status == "OK" {
			continue
		}
		if s.errors == nil {
			s.errors = make(map[string]int64)
		}
		s.errors[snake(status)] += n
	}
	for text := range r.Errors {
		s.text = fmt.Sprintf("%s; it gives %.0f requests a second", text, r.Rate)
	}
	return s, nil
}

// snake writes a code of ghz, such as DeadlineExceeded, as results have it.
func snake(code string) string {
	var b strings.Builder
	for i, r := range code {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
