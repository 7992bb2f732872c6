package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/http2"

	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
)

// absent fills an empty cell.
const absent = "–"

// writeFacts prints Markdown, with headings of the third level, so that it can be part of a page.
func writeFacts(w io.Writer, e result.Environment, all []buildFacts, stacks []facts) {
	fmt.Fprintf(w, "Read on %s on %d × %s, %s %s, commit `%s`, by `%s`.\n",
		time.Now().UTC().Format(time.DateOnly), e.CPUs, e.CPU, e.OS, e.Kernel, e.Commit, e.Command)
	fmt.Fprintln(w, "In italics: what HTTP/2 has by default, since the end says nothing of it.")
	writeMade(w, e, all)
	servers := [][]string{endHead("compression", "streams")}
	clients := [][]string{endHead("compression", "accepts")}
	for _, f := range stacks {
		server := f.server
		servers = append(servers, server.row(f, server.encoding, server.cell(http2.SettingMaxConcurrentStreams, "no limit")))
		if f.client != nil {
			clients = append(clients, f.client.row(f, f.client.encoding, f.client.accepts))
		}
	}
	fmt.Fprintf(w, "\n### Servers\n\nAfter %d calls, %d in flight at a time. *MiB* is memory, resident; *frame* the largest taken; *compression*\nthat of replies to a client that accepts gzip.\n\n", factsCalls, factsInFlight)
	writeRows(w, servers)
	if len(clients) > 1 {
		fmt.Fprintf(w, "\n### Clients\n\nAt most during %d calls of a Go server, %d in flight at a time; a client in Go is the benchmark itself, after them.\n*Compression* is that of requests.\n\n", factsCalls, factsInFlight)
		writeRows(w, clients)
	}
}

func writeMade(w io.Writer, e result.Environment, all []buildFacts) {
	rows := [][]string{{"peer", "MB", "built and started with"}}
	for _, m := range all {
		if m.name == "benchmark" {
			m.flags = strings.TrimSpace(e.Go + " " + e.Build)
		}
		if m.flags == "" {
			m.flags = absent
		}
		rows = append(rows, []string{m.name, m.install, m.flags})
	}
	fmt.Fprint(w, "\n### Builds\n\n*MB* is what one installs to run the server.\n\n")
	writeRows(w, rows)
	fmt.Fprintln(w)
	for _, m := range all {
		report.WriteItem(w, fmt.Sprintf("%s, in %s, of: %s.", m.name, m.language, list(m.libraries)))
	}
}

// endHead ends with the columns that only one kind of end has.
func endHead(more ...string) []string {
	return append([]string{
		"stack", "processes", "threads", "MiB",
		"stream window", "connection window", "frame", "header table",
	}, more...)
}

func (f *endFacts) row(of facts, more ...string) []string {
	row := []string{
		"`" + of.target.Stack.Name.String() + "`",
		strconv.Itoa(f.processes), strconv.Itoa(f.threads), fmt.Sprintf("%.0f", float64(f.resident)/(1<<20)),
	}
	return slices.Concat(row, f.limits(), more)
}

// limits are the HTTP/2 settings of an opening, or the protocol's defaults (RFC 9113, section
// 6.5.2).
func (o opening) limits() []string {
	connection := strconv.Itoa(initialWindow + int(o.added))
	switch {
	case o.settings == nil:
		connection = absent
	case o.added == 0:
		connection = "*" + connection + "*"
	}
	return []string{
		o.cell(http2.SettingInitialWindowSize, strconv.Itoa(initialWindow)),
		connection,
		o.cell(http2.SettingMaxFrameSize, "16384"),
		o.cell(http2.SettingHeaderTableSize, "4096"),
	}
}

func (o opening) cell(id http2.SettingID, byDefault string) string {
	if o.settings == nil {
		return absent // over HTTP/1.1
	}
	if value, said := o.settings[id]; said {
		return strconv.FormatUint(uint64(value), 10)
	}
	return "*" + byDefault + "*"
}

// writeRows pads the cells, so that a terminal shows columns too. The first row is
// the head.
func writeRows(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	var b bytes.Buffer
	for n, row := range rows {
		for i, text := range row {
			b.WriteString("| " + text + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)+1))
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, width := range widths {
				b.WriteString("|-" + strings.Repeat("-", width) + "-")
			}
			b.WriteString("|\n")
		}
	}
	_, _ = b.WriteTo(w)
}
