package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/internal/stack"
)

// bench is a comparison that is being made.
type bench struct {
	compareCommand
	tools   []tool
	servers map[string]*process.Server
	body    string
	env     result.Environment
	log     io.Writer
}

// trial is one tool against one server.
type trial struct {
	tool        tool
	scenario    string
	stack       string
	concurrency int
	connections int
}

// trials lists what a round measures: every tool against both servers, the engine
// with few and with many calls in flight, and every tool against a server that
// refuses.
func (b *bench) trials() []trial {
	var all []trial
	for _, t := range b.tools {
		for _, name := range []string{floorStack, grpcGo} {
			all = append(all, trial{t, "engine", name, atOnce, 1})
		}
		all = append(all, trial{t, "engine-refused", refusing, atOnce, 1})
	}
	return append(all,
		trial{b.tools[0], "engine-streams", floorStack, atOnce, 1},
		trial{b.tools[0], "engine-streams", floorStack, many, manyConnections})
}

// start starts the servers.
func (b *bench) start(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	for _, name := range []string{floorStack, grpcGo, refusing} {
		server, err := process.Start(ctx, process.Command{Name: name, Argv: []string{self, "serve", name}, Log: b.log})
		if err != nil {
			return err
		}
		b.servers[name] = server
	}
	return nil
}

func (b *bench) stop() (err error) {
	for _, s := range b.servers {
		if stopErr := s.Stop(stopPatience); stopErr != nil {
			err = stopErr
		}
	}
	return err
}

// measureAll makes all rounds.
func (b *bench) measureAll(ctx context.Context) ([]result.Line, error) {
	begun := time.Now()
	id, seed := begun.UTC().Format("20060102T150405Z")+"-engine", uint64(begun.Unix())
	var lines []result.Line
	for round := 1; round <= b.Rounds; round++ {
		for place, t := range shuffled(seed, round, b.trials()) {
			line, err := b.measure(ctx, t)
			if err != nil {
				return nil, err
			}
			line.Run, line.Seed, line.Round, line.Order = id, &seed, round, place+1
			lines = append(lines, line)
		}
		fmt.Fprintf(b.log, "round %d of %d: %s so far\n", round, b.Rounds, time.Since(begun).Round(time.Second))
	}
	return lines, nil
}

func (b *bench) measure(ctx context.Context, t trial) (result.Line, error) {
	server := b.servers[t.stack]
	before, err := server.Stats()
	if err != nil {
		return result.Line{}, err
	}
	started := time.Now()
	s, err := t.tool.run(ctx, job{server.Addr(), t.concurrency, t.connections, b.Window, b.body})
	if err != nil {
		return result.Line{}, err
	}
	after, err := server.Stats()
	if err != nil {
		return result.Line{}, err
	}
	line := t.line(s, after.Accepted-before.Accepted)
	line.Started, line.Environment = started, b.env
	line.Verdicts = result.Judge(&line)
	return line, nil
}

// line is the result. Not every tool tells how many connections it has opened; the
// server always does.
func (t trial) line(s sample, accepted int64) result.Line {
	l := result.Line{
		Schema: result.SchemaVersion,
		Case: result.Case{
			Stack: t.stack, Language: "go", Libraries: libraries(t.stack), Client: t.tool.name,
			Scenario: t.scenario, Mode: "unary", Concurrency: t.concurrency, Connections: t.connections,
			Payload: len(greeted), Messages: 1,
		},
		WindowNS: s.window.Nanoseconds(), WarmupCalls: int(s.warmup),
		Calls: s.calls, Sent: s.calls, Received: s.calls, Errors: s.errors, FirstError: s.text,
		Opened: accepted, Accepted: &accepted, Metrics: []result.Metric{},
		Client: &result.Usage{UserNS: s.user.Nanoseconds(), SystemNS: (s.cpu - s.user).Nanoseconds(), PeakBytes: s.peak},
	}
	if s.calls > 0 {
		l.Metrics = s.metrics()
	}
	return l
}

// metrics share the tool's whole processor time, its start included, among all
// calls that it made.
func (s sample) metrics() []result.Metric {
	perCall := float64(s.cpu) / float64(time.Microsecond) / float64(s.calls+s.warmup)
	metrics := []result.Metric{
		{Name: "rate", Unit: "req/s", Better: result.Higher, Value: s.rate},
		{Name: "client_cpu", Unit: "µs/call", Better: result.Lower, Value: perCall},
	}
	if s.peak > 0 {
		metrics = append(metrics, result.Metric{
			Name: "client_memory", Unit: "MiB", Better: result.Lower, Value: float64(s.peak) / (1 << 20),
		})
	}
	return metrics
}

// libraries are those of the server.
func libraries(name string) []string {
	if name == floorStack {
		return []string{stack.ModuleVersion("golang.org/x/net")}
	}
	return []string{stack.ModuleVersion("google.golang.org/grpc")}
}

// command is what to type to measure the same again.
func command(args []string) string {
	words := []string{"go run ./benchmark/tools/engine"}
	for i, arg := range args {
		if arg != "--out" && !strings.HasPrefix(arg, "--out=") && (i == 0 || args[i-1] != "--out") {
			words = append(words, arg)
		}
	}
	return strings.Join(words, " ")
}
