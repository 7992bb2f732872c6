package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/report"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/run"
	greetv1 "example.com/greet/gen/greet/v1"
)

const (
	floorStack = "floor/grpc/h2c"
	grpcGo     = "grpc-go/grpc/h2c"
	// atOnce is the concurrency at which the tools are compared, and many that which
	// the engine alone is asked for: over as many connections as servers here, which
	// carry 100 calls on each, ask for.
	atOnce          = 64
	many            = 10_000
	manyConnections = many / 100
)

// stopPatience is how long a server may take to stop: no call is in flight.
const stopPatience = 10 * time.Second

// Run measures in turn, in an order drawn for each round, and prints the table.
func (c compareCommand) Run(ctx context.Context, out output) (err error) {
	all, err := tools()
	if err != nil {
		return err
	}
	b := bench{compareCommand: c, log: out.log, servers: make(map[string]*process.Server), env: run.Environment(ctx, command(os.Args[1:]))}
	for _, t := range all {
		if t.program == "" {
			fmt.Fprintf(out.log, "skipped: %s is not installed\n", t.name)
			continue
		}
		b.tools = append(b.tools, t)
	}
	dir, err := os.MkdirTemp("", "greet-engine-")
	if err != nil {
		return fmt.Errorf("make directory for a request: %w", err)
	}
	defer func() { err = errors.Join(err, b.stop(), os.RemoveAll(dir)) }()
	if b.body, err = writeBody(dir); err != nil {
		return err
	}
	if err := b.start(ctx); err != nil {
		return err
	}
	lines, err := b.measureAll(ctx)
	if err != nil {
		return err
	}
	if err := c.save(lines); err != nil {
		return err
	}
	return printReport(out, lines)
}

// writeBody writes one request as gRPC frames it, for tools that know no gRPC.
func writeBody(dir string) (string, error) {
	message, err := proto.Marshal(&greetv1.GreetRequest{Name: greeted})
	if err != nil {
		return "", fmt.Errorf("marshal request: %w", err)
	}
	framed := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))) // 0: not compressed
	path := filepath.Join(dir, "request")
	return path, os.WriteFile(path, append(framed, message...), 0o600)
}

// save replaces the file of lines once all are there.
func (c compareCommand) save(lines []result.Line) error {
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return fmt.Errorf("make directory for results: %w", err)
	}
	unfinished := c.Out + ".unfinished"
	_ = os.Remove(unfinished) // of a run that was killed
	writer, err := result.NewWriter(unfinished)
	if err != nil {
		return err
	}
	for _, l := range lines {
		if err := writer.Write(l); err != nil {
			return errors.Join(err, writer.Close())
		}
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.Rename(unfinished, c.Out)
}

type reportCommand struct {
	Files []string `arg:"" name:"FILE" help:"Result files of this tool."`
}

// Run prints the tables of all files together.
func (c reportCommand) Run(out output) error {
	var lines []result.Line
	for _, file := range c.Files {
		more, err := result.ReadFile(file)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	return printReport(out, lines)
}

func printReport(out output, lines []result.Line) error {
	r, err := report.New(lines, views)
	if err != nil {
		return err
	}
	return report.Markdown(out.data, r)
}

// shuffled is the order of a round.
func shuffled[T any](seed uint64, round int, all []T) []T {
	order := make([]T, len(all))
	for to, from := range rand.New(rand.NewPCG(seed, uint64(round))).Perm(len(all)) {
		order[to] = all[from]
	}
	return order
}
