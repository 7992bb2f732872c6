package scenario

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/view"
	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/internal/stack"
)

// codec measures, in process, the cost of turning a GreetRequest into bytes and back. A plain copy
// of as many bytes into fresh memory stands beside it, as the lower bound of any codec that returns
// fresh memory.
var codec = Scenario{
	Name:  codecName,
	About: "marshal and unmarshal GreetRequest at 64 KiB to 2 MiB, in process: protobuf, protojson, and a plain copy",
	Cases: codecCases,
	PeerCases: func(c result.Case) []result.Case {
		return codecSizes(c, []string{marshal, unmarshal})
	},
	Measure: measureCodec,
	View:    codecView,
}

const codecName = "codec"

// Directions of a codec.
const (
	marshal   = "marshal"
	unmarshal = "unmarshal"
)

// codecWindow is the least time for one direction at one size in a round. The median of many short
// windows is not affected by a busy moment of the machine, as one long window would be.
const codecWindow = 100 * time.Millisecond

// codecs lists the codecs. Each prepares a direction for a request and returns the operation. The
// operation stores its result, so that the compiler cannot remove the work.
var codecs = []struct {
	name       string
	module     string
	directions []string
	prepare    func(direction string, req *greetv1.GreetRequest) (op func() error, err error)
}{
	{"protobuf-go", "google.golang.org/protobuf", []string{marshal, unmarshal}, prepareProto},
	{"protobuf-go+json", "google.golang.org/protobuf", []string{marshal, unmarshal}, prepareJSON},
	{"copy", "", []string{marshal, unmarshal}, prepareCopy},
}

func codecCases([]stack.Stack) []result.Case {
	var cases []result.Case
	for _, codec := range codecs {
		c := result.Case{Stack: codec.name, Language: "go"}
		if codec.module != "" {
			c.Libraries = []string{stack.ModuleVersion(codec.module)}
		}
		cases = append(cases, codecSizes(c, codec.directions)...)
	}
	return cases
}

// codecSizes completes the case in all directions and sizes.
func codecSizes(c result.Case, directions []string) []result.Case {
	c.Client, c.Scenario, c.Concurrency, c.Messages = "none", codecName, 1, 1
	var cases []result.Case
	for _, c.Direction = range directions {
		for kib := 64; kib <= 2048; kib *= 2 {
			c.Payload = kib << 10
			cases = append(cases, c)
		}
	}
	return cases
}

func measureCodec(ctx context.Context, s Setup, c result.Case) (result.Line, error) {
	if peer, ok := s.Caller.(calls.Asker); ok {
		return askCodec(ctx, s, peer, c)
	}
	for _, codec := range codecs {
		if codec.name != c.Stack {
			continue
		}
		op, err := codec.prepare(c.Direction, &greetv1.GreetRequest{Name: strings.Repeat("x", c.Payload)})
		if err != nil {
			return result.Line{}, fmt.Errorf("prepare %s %s: %w", c.Stack, c.Direction, err)
		}
		return timeOperation(ctx, op, c.Payload)
	}
	return result.Line{}, fmt.Errorf("no codec %q", c.Stack)
}

// timeOperation repeats op for codecWindow, after a warm-up of a tenth of that. It counts the
// allocations of the whole process, which does nothing else meanwhile.
func timeOperation(ctx context.Context, op func() error, size int) (result.Line, error) {
	warmup, _, err := repeat(ctx, op, codecWindow/10)
	if err != nil {
		return result.Line{}, err
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, took, err := repeat(ctx, op, codecWindow)
	runtime.ReadMemStats(&after)
	if err != nil {
		return result.Line{}, err
	}
	allocs := float64(after.Mallocs-before.Mallocs) / float64(n)
	return result.Line{
		WarmupCalls: int(warmup), WindowNS: took.Nanoseconds(), Calls: n,
		Metrics: append(codecFigures(n, size, took), lower("allocations_per_op", "1", allocs)),
	}, nil
}

// codecFigures are those of n operations on messages of that size.
func codecFigures(n int64, size int, took time.Duration) []result.Metric {
	return []result.Metric{
		perSecond("throughput", "MB/s", float64(n)*float64(size)/1e6, took),
		lower("time_per_op", "ns", float64(took.Nanoseconds())/float64(n)),
	}
}

func repeat(ctx context.Context, op func() error, atLeast time.Duration) (n int64, took time.Duration, err error) {
	begun := time.Now()
	for took < atLeast {
		if ctx.Err() != nil {
			return n, took, load.ErrInterrupted
		}
		if err := op(); err != nil {
			return n, took, err
		}
		n, took = n+1, time.Since(begun)
	}
	return n, took, nil
}

func prepareProto(direction string, req *greetv1.GreetRequest) (func() error, error) {
	return prepareMessage(direction, req, proto.Marshal, proto.Unmarshal)
}

func prepareJSON(direction string, req *greetv1.GreetRequest) (func() error, error) {
	return prepareMessage(direction, req, protojson.Marshal, protojson.Unmarshal)
}

func prepareMessage(direction string, req *greetv1.GreetRequest, to func(proto.Message) ([]byte, error), from func([]byte, proto.Message) error) (func() error, error) {
	data, err := to(req)
	if err != nil {
		return nil, err
	}
	if direction == marshal {
		return func() error { data, err = to(req); return err }, nil
	}
	var back *greetv1.GreetRequest
	return func() error { back = new(greetv1.GreetRequest); return from(data, back) }, nil
}

// prepareCopy copies into fresh memory, as both directions of a codec do.
func prepareCopy(_ string, req *greetv1.GreetRequest) (func() error, error) {
	var text string
	return func() error { text = strings.Clone(req.GetName()); _ = text; return nil }, nil
}

var codecView = view.View{
	About:   "GreetRequest in process, without any RPC: the cost of a message before a stack sees it.",
	Split:   []view.Field{view.Direction},
	Across:  []view.Field{view.Payload},
	Metrics: []string{"throughput"},
	Charts: []view.Chart{{
		Name: "codec-throughput", Title: "Encoding and decoding by size", Split: []view.Field{view.Direction},
		Over: view.Payload, Axis: "size of the message", Metric: "throughput", Label: "throughput", Log: true,
	}},
}
