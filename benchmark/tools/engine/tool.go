package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// greeted is the name in each request: 16 bytes.
const greeted = "xxxxxxxxxxxxxxxx"

// method is what the tools call.
const method = "greet.v1.GreetService/Greet"

// tool is one load generator.
type tool struct {
	name    string
	program string // empty if it is not installed
	argv    func(job) []string
	// parse reads what the tool printed.
	parse func(output []byte, j job) (sample, error)
}

// job is what a tool is asked to do.
type job struct {
	addr        string
	concurrency int
	connections int
	window      time.Duration
	body        string // file with one request, framed as gRPC frames it
}

// seconds is the window as the tools of others take it.
func (j job) seconds() int { return max(1, int(j.window.Round(time.Second)/time.Second)) }

// sample is what a tool reports, and what it cost.
type sample struct {
	calls  int64 // that it says succeeded
	warmup int64 // made beside those
	rate   float64
	window time.Duration
	errors map[string]int64 // that it reports, by normalised code
	text   string
	peak   int64         // bytes of memory; 0 if it does not tell
	cpu    time.Duration // of its process, from beginning to end
	user   time.Duration // of that, outside of the kernel
}

// tools lists the engines, with where they are.
func tools() ([]tool, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return []tool{
		{name: "floor", program: self, argv: floorArgv, parse: parseFloor},
		{name: "h2load", program: installed("h2load"), argv: h2loadArgv, parse: parseH2load},
		{name: "ghz", program: installed("bin/ghz", "ghz"), argv: ghzArgv, parse: parseGhz},
	}, nil
}

// installed is the first of the programs that there is, or empty.
func installed(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			if path, err = filepath.Abs(path); err == nil {
				return path
			}
		}
	}
	return ""
}

func floorArgv(j job) []string {
	return []string{
		"drive", j.addr, "--payload", strconv.Itoa(len(greeted)), "--window", j.window.String(),
		"--concurrency", strconv.Itoa(j.concurrency), "--connections", strconv.Itoa(j.connections),
	}
}

func h2loadArgv(j job) []string {
	return []string{
		"--duration", strconv.Itoa(j.seconds()), "--threads", "1",
		"--clients", strconv.Itoa(j.connections), "--max-concurrent-streams", strconv.Itoa(j.concurrency / j.connections),
		"--header", "content-type: application/grpc", "--header", "te: trailers",
		"--data", j.body, "http://" + j.addr + "/" + method,
	}
}

func ghzArgv(j job) []string {
	return []string{
		"--insecure", "--proto", "proto/greet/v1/greet.proto", "--import-paths", "proto",
		"--call", strings.ReplaceAll(method, "/", "."), "--data", `{"name":"` + greeted + `"}`,
		"--duration", strconv.Itoa(j.seconds()) + "s", "--duration-stop", "wait",
		"--concurrency", strconv.Itoa(j.concurrency), "--connections", strconv.Itoa(j.connections),
		"--format", "json", j.addr,
	}
}

// run runs the tool and adds what its process has cost.
func (t tool) run(ctx context.Context, j job) (sample, error) {
	cmd := exec.CommandContext(ctx, t.program, t.argv(j)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return sample{}, fmt.Errorf("run %s: %w: %s", t.name, err, bytes.TrimSpace(stderr.Bytes()))
	}
	s, err := t.parse(stdout.Bytes(), j)
	if err != nil {
		return sample{}, fmt.Errorf("read what %s printed: %w", t.name, err)
	}
	s.user = cmd.ProcessState.UserTime()
	s.cpu = s.user + cmd.ProcessState.SystemTime()
	return s, nil
}
