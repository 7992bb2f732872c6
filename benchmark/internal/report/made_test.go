package report

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"example.com/greet/benchmark/internal/result"
)

// maker makes up result lines of timed scenarios: plausible figures, always the
// same, for looking at what a report does with them.
type maker struct {
	t      *testing.T
	random *rand.Rand
	model  result.Line
	lines  []result.Line
	round  int
	order  int
}

// madeStacks are stacks with the time that a call takes them alone.
var madeStacks = []struct {
	name string
	cost time.Duration
}{
	{"floor/grpc/h2c", 58 * time.Microsecond},
	{"grpc-go/grpc/h2c", 180 * time.Microsecond},
	{"grpc-go/grpc/h2", 210 * time.Microsecond},
	{"grpc-go/grpc/h2c+gzip", 260 * time.Microsecond},
	{"connect-go/connect/h1", 160 * time.Microsecond},
	{"connect-go/connect/h2c", 240 * time.Microsecond},
	{"connect-go/connect/h2c+json", 275 * time.Microsecond},
	{"connect-go/connect/h3", 480 * time.Microsecond},
	{"connect-go-v1/grpc/h2c", 255 * time.Microsecond},
}

// madeRun makes up a run of all timed scenarios.
func madeRun(t *testing.T, rounds int) []result.Line {
	t.Helper()
	model := readRun(t, "two-rounds")[0]
	model.Run, model.Metrics, model.Histograms, model.Accepted, model.Verdicts = "20261130-150000", nil, nil, nil, nil
	model.WindowNS, model.Environment.Command = 250e6, "go run ./benchmark --publish"
	m := &maker{t: t, random: rand.New(rand.NewPCG(7, 7)), model: model}
	for round := range rounds {
		m.round, m.order = round+1, 0
		for _, s := range madeStacks {
			m.unary(s.name, s.cost)
			m.open(s.name, s.cost)
			m.streams(s.name, s.cost)
			if s.name != "connect-go/connect/h1" {
				m.channels(s.name, s.cost)
			}
		}
	}
	return m.lines
}

// add adds the line of a case with one rate and the times given.
func (m *maker) add(stack string, c result.Case, metrics []result.Metric, histograms ...result.Histogram) {
	m.order++
	l := m.model
	l.Round, l.Order = m.round, m.order
	l.Started = l.Started.Add(time.Duration(len(m.lines)) * time.Second)
	c.Stack, c.Language, c.Libraries, c.Client = stack, l.Case.Language, l.Case.Libraries, l.Case.Client
	c.Connections, c.Messages = max(1, c.Connections), max(1, c.Messages)
	l.Case, l.Metrics, l.Histograms, l.Opened = c, metrics, histograms, int64(c.Connections)
	if len(histograms) > 0 {
		l.Calls = histograms[0].Count
	}
	m.lines = append(m.lines, l)
}

// about varies a value by a few percent.
func (m *maker) about(v float64) float64 { return v * math.Exp(0.04*m.random.NormFloat64()) }

func higher(name, unit string, value float64) []result.Metric {
	return []result.Metric{{Name: name, Unit: unit, Better: result.Higher, Value: value}}
}

// times makes up n times around the typical one, with a long tail.
func (m *maker) times(name string, typical time.Duration, n int) result.Histogram {
	h := hdrhistogram.New(1, 60e9, 2) // three digits take ten times as long to read back
	for range n {
		v := float64(typical) * (0.7 + 0.3*m.random.ExpFloat64())
		if m.random.IntN(200) == 0 {
			v *= 2 + 3*m.random.ExpFloat64()
		}
		if err := h.RecordValue(int64(v)); err != nil {
			m.t.Fatal(err)
		}
	}
	made, err := result.NewHistogram(name, h)
	if err != nil {
		m.t.Fatal(err)
	}
	return made
}

// capacity is the rate at which calls are done with so many in flight.
func capacity(cost time.Duration, inFlight int) float64 {
	k := float64(inFlight)
	return 1e9 / float64(cost) * k / (1 + k/5)
}

func (m *maker) unary(stack string, cost time.Duration) {
	for _, size := range []int{16, 1024, 16384} {
		cost := cost + time.Duration(size)*4*time.Nanosecond
		for _, k := range []int{1, 4, 16, 64} {
			c := result.Case{Scenario: "unary", Mode: "unary", Payload: size, Concurrency: k}
			if stack == "connect-go/connect/h1" {
				c.Connections = k
			}
			perSecond := m.about(capacity(cost, k))
			n := int(perSecond / 4)
			m.add(stack, c, higher("rate", "req/s", perSecond), m.times("latency", time.Duration(float64(k)/perSecond*1e9), n))
		}
	}
}

func (m *maker) open(stack string, cost time.Duration) {
	whole := capacity(cost, 64)
	for _, load := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		c := result.Case{Scenario: "open", Mode: "unary", Payload: 16, Concurrency: 64, Load: load, Rate: load * whole}
		n := int(c.Rate / 4)
		waits := load / (1 - load*0.98)
		metrics := append(higher("rate", "req/s", m.about(c.Rate)),
			result.Metric{Name: result.Late, Unit: "fraction", Better: result.Lower, Value: 0.001 * load},
			result.Metric{Name: result.Unsent, Unit: "calls", Better: result.Lower})
		m.add(stack, c, metrics,
			m.times("latency", time.Duration(float64(cost)*(1+2*waits*waits)), n),
			m.times("service", time.Duration(float64(cost)*(1+load)), n))
	}
}

func (m *maker) channels(stack string, cost time.Duration) {
	for _, n := range []int{1, 2, 4, 8} {
		c := result.Case{Scenario: "channels", Mode: "unary", Payload: 16, Concurrency: 64, Connections: n}
		m.add(stack, c, higher("rate", "req/s", m.about(capacity(cost, 64)*(1+0.1*math.Log2(float64(n))))))
	}
}

func (m *maker) streams(stack string, cost time.Duration) {
	perSecond := m.about(2e9 / float64(cost) * 5)
	c := result.Case{Scenario: "server-stream", Mode: "server_stream", Payload: 1024, Concurrency: 1, Calls: 10, Messages: 1000}
	m.add(stack, c, higher("message_rate", "msg/s", perSecond*1.5), m.times("first_message", cost*2, 40), m.times("gap", cost/9, 20_000))
	c = result.Case{Scenario: "client-stream", Mode: "client_stream", Payload: 16, Concurrency: 1, Messages: 10}
	perCall := []result.Metric{{Name: "time_per_call", Unit: "µs", Better: result.Lower, Value: m.about(float64(cost*2) / 1e3)}}
	m.add(stack, c, perCall, m.times("latency", cost*2, 900))
	if stack == "connect-go/connect/h1" {
		return
	}
	c = result.Case{Scenario: "bidi-pingpong", Mode: "bidi", Payload: 1024, Concurrency: 1, Calls: 1, Messages: 1000}
	m.add(stack, c, higher("round_trip_rate", "round trips/s", perSecond/8), m.times("round_trip", cost*7/10, 1500))
	c.Scenario = "bidi-flood"
	m.add(stack, c, higher("message_rate", "msg/s", perSecond))
}
