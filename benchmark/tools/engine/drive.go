package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"time"

	"example.com/greet/benchmark/internal/calls"
	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/stack/floor"
	"example.com/greet/internal/greet"
	"example.com/greet/internal/stack"
)

// driveCommand is the floor's driver as a tool like the others.
type driveCommand struct {
	Addr        string `arg:""`
	Concurrency int
	Connections int
	Payload     int
	Window      time.Duration
}

// driven is what the driver prints.
type driven struct {
	Calls    int64            `json:"calls"`
	Warmup   int64            `json:"warmup_calls"`
	WindowNS int64            `json:"window_ns"`
	Errors   map[string]int64 `json:"errors"`
	Text     string           `json:"first_error"`
	Peak     int64            `json:"peak_rss_bytes"`
}

// deadline is how long a call may take.
const deadline = 10 * time.Second

// Run connects and fills the header tables in a warm-up, then calls for the window.
func (c driveCommand) Run(ctx context.Context, out output) (err error) {
	// An event loop needs one thread, which is what h2load is told to have: a second
	// would only look for work.
	runtime.GOMAXPROCS(min(c.Connections, runtime.NumCPU()))
	driver, err := floor.NewDriver(c.Addr, stack.GRPC, calls.Work{
		Mode: greet.Unary, Payload: c.Payload, Messages: 1, Connections: c.Connections,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.Close()) }()
	warmup := int64(c.Concurrency)
	plan := load.Plan{Concurrency: c.Concurrency, Window: c.Window, Warmup: warmup, Deadline: deadline}
	warmed := load.WarmUp(ctx, driver, plan)
	tally, err := load.Run(ctx, driver, plan)
	if err != nil {
		return err
	}
	for code, count := range warmed.Errors {
		tally.Errors[code] += count
	}
	// What wait4 tells of a child is no less than what its parent held when it began
	// the child: the process itself knows better.
	own, err := process.Observe(os.Getpid())
	if err != nil {
		return err
	}
	return json.NewEncoder(out.data).Encode(driven{
		Calls: tally.Calls, Warmup: warmup, WindowNS: tally.Window.Nanoseconds(),
		Errors: tally.Errors, Text: cmp.Or(warmed.Text, tally.Text), Peak: own.PeakBytes,
	})
}
