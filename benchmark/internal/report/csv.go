package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// csvHead names the columns. Units are in the names, or in the column "unit".
var csvHead = []string{
	"scenario", "stack", "replica", "language", "libraries", "client", "client_language", "kind", "mode", "direction", "concurrency",
	"connections", "payload_bytes", "calls_asked", "messages_per_call", "load", "rate_per_s",
	"metric", "unit", "better", "median", "low", "high", "interval",
	"rounds", "window_ns", "calls", "errors", "connections_opened", "connections_accepted", "verdicts", "partial",
}

// CSV writes one record for each metric of each case, in long form (RFC 4180).
// The interval is "95%" of the median, "range" from the lowest to the highest
// round, or empty. Percentiles come from the histograms of all rounds together,
// so they have no interval. The figures of a case that a verdict disqualifies
// are empty. Numbers have all digits, whatever the interval supports. The last column
// names runs that were ended early.
func CSV(w io.Writer, r Report) error {
	records, partial := [][]string{csvHead}, strings.Join(unfinished(r.Lines), "; ")
	for _, s := range r.Summaries {
		for _, figure := range csvFigures(s) {
			records = append(records, slices.Concat(csvCase(s.Case), figure, csvRest(s), []string{partial}))
		}
	}
	return writeCSV(w, records)
}

// writeCSV writes records whose cells no program takes for formulas: a text that begins like one
// gets an apostrophe before it, as spreadsheets do themselves.
func writeCSV(w io.Writer, records [][]string) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	for _, record := range records {
		for i, text := range record {
			if text != "" && strings.IndexByte("=+-@\t\r\n", text[0]) >= 0 {
				record[i] = "'" + text
			}
		}
	}
	return out.WriteAll(records)
}

func csvCase(c result.Case) []string {
	positive := func(v float64) string {
		if v == 0 {
			return ""
		}
		return number(v)
	}
	return []string{
		c.Scenario, c.Stack, c.Replica, c.Language, strings.Join(c.Libraries, "; "), c.Client, c.ClientLanguage, c.Kind, c.Mode, c.Direction,
		strconv.Itoa(c.Concurrency), strconv.Itoa(c.Connections), strconv.Itoa(c.Payload), strconv.Itoa(c.Calls),
		strconv.Itoa(c.Messages), positive(c.Load), positive(c.Rate),
	}
}

// csvFigures returns at least one record, so that no case is missing.
func csvFigures(s result.Summary) [][]string {
	if s.Disqualified() || len(s.Metrics) == 0 {
		return [][]string{make([]string, 7)}
	}
	var figures [][]string
	for _, m := range s.Metrics {
		figures = append(figures, slices.Concat([]string{m.Name, m.Unit, string(m.Better)}, csvEstimate(m.Estimate)))
	}
	for _, h := range s.Histograms {
		figures = append(figures, []string{h.Name + "_mean", "ns", string(result.Lower), number(h.MeanNS), "", "", ""})
		for _, p := range h.Percentiles() {
			if p.NS != nil {
				value := strconv.FormatInt(*p.NS, 10)
				figures = append(figures, []string{h.Name + "_" + p.Name, "ns", string(result.Lower), value, "", "", ""})
			}
		}
	}
	return figures
}

func csvEstimate(e result.Estimate) []string {
	switch {
	case e.HasInterval:
		return []string{number(e.Median), number(e.Low), number(e.High), "95%"}
	case e.N > 1:
		return []string{number(e.Median), number(e.Low), number(e.High), "range"}
	}
	return []string{number(e.Median), "", "", ""}
}

func csvRest(s result.Summary) []string {
	var codes, verdicts []string
	for _, code := range slices.Sorted(maps.Keys(s.Errors)) {
		codes = append(codes, fmt.Sprintf("%s=%d", code, s.Errors[code]))
	}
	for _, v := range s.Verdicts {
		verdicts = append(verdicts, string(v))
	}
	accepted := ""
	if s.Accepted != nil {
		accepted = strconv.FormatInt(s.Accepted.Max, 10)
	}
	return []string{
		strconv.Itoa(s.Rounds), strconv.FormatInt(s.WindowNS, 10), strconv.FormatInt(s.Calls, 10),
		strings.Join(codes, " "), strconv.FormatInt(s.Opened.Max, 10), accepted, strings.Join(verdicts, " "),
	}
}

// number keeps twelve digits: further ones come from binary fractions and were not measured.
func number(v float64) string {
	kept, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		kept = v
	}
	return strconv.FormatFloat(kept, 'f', -1, 64)
}
