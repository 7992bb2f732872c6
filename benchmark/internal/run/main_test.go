package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/greet/benchmark/internal/load"
	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/result"
	"example.com/greet/benchmark/internal/scenario"
	"example.com/greet/internal/stack"
)

// The test binary is also the servers of its runs: with this argument it writes
// its process id to the file that is named next, and serves until it is stopped.
const asServer = "be-a-server"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asServer {
		serve(os.Args[2])
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == asClient {
		answerRequests(os.Args[2])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func serve(pidFile string) {
	if err := process.AnswerControl(new(atomic.Int64).Load); err != nil {
		panic(err)
	}
	if err := os.WriteFile(pidFile, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		panic(err)
	}
	fmt.Println("listening 127.0.0.1:1")
	<-process.UntilStdinEnds(context.Background(), os.Stdin).Done()
}

// startable is a target whose server the run starts, and the file that it will
// write its process id to.
func startable(t *testing.T, name string) (target *plan.Target, pidFile string) {
	t.Helper()
	pidFile = filepath.Join(t.TempDir(), "pid")
	target = running(t, name)
	target.Addr, target.Argv = "", []string{os.Args[0], asServer, pidFile}
	return target, pidFile
}

// running is a target that needs no server: the fake scenarios call none.
func running(t *testing.T, name string) *plan.Target {
	t.Helper()
	parsed, err := stack.ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	s := stack.Stack{Name: parsed, Language: "go", Libraries: []string{"example.test/x v1.0.0"}}
	return &plan.Target{Stack: s, Client: scenario.Own(s), Addr: "127.0.0.1:1"}
}

// gone reports whether the process whose id is in the file has ended.
func gone(t *testing.T, pidFile string) bool {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// perStack is a scenario with two cases for each stack, of which every slice
// succeeds at once.
func perStack(name string) scenario.Scenario {
	return scenario.Scenario{
		Name: name,
		Cases: func(stacks []stack.Stack) []result.Case {
			var cases []result.Case
			for _, s := range stacks {
				for _, concurrency := range []int{1, 2} {
					cases = append(cases, result.Case{
						Stack: s.Name.String(), Language: s.Language, Libraries: s.Libraries, Client: "own",
						Scenario: name, Mode: "unary", Concurrency: concurrency, Messages: 1,
					})
				}
			}
			return cases
		},
		Measure: func(context.Context, scenario.Setup, result.Case) (result.Line, error) { return success(), nil },
	}
}

// inProcess is a scenario that is measured once and calls no server.
func inProcess(name string) scenario.Scenario {
	return scenario.Scenario{
		Name: name,
		Once: true,
		Cases: func([]stack.Stack) []result.Case {
			return []result.Case{{Stack: "copy", Language: "go", Client: "none", Scenario: name, Concurrency: 1}}
		},
		Measure: func(context.Context, scenario.Setup, result.Case) (result.Line, error) { return success(), nil },
	}
}

func success() result.Line {
	return result.Line{
		Calls: 1, Sent: 1, Received: 1, WindowNS: 1e9,
		Metrics: []result.Metric{{Name: "rate", Unit: "req/s", Better: result.Higher, Value: 1}},
	}
}

// recorder keeps what a run tells and writes.
type recorder struct {
	file     *result.Writer
	lines    []result.Line
	after    func(n int) // told how many lines there are, if it is set
	prepared []string
	begun    []At
	ended    []At
}

func (*recorder) Measured(result.Line)                {}
func (r *recorder) Prepare(doing string)              { r.prepared = append(r.prepared, doing) }
func (r *recorder) Begin(at At, _ result.Case)        { r.begun = append(r.begun, at) }
func (r *recorder) End(at At, _ int, _ time.Duration) { r.ended = append(r.ended, at) }
func (r *recorder) write(l result.Line) error {
	r.lines = append(r.lines, l)
	if r.after != nil {
		r.after(len(r.lines))
	}
	return r.file.Write(l) // refuses what the schema does not allow
}

// newRun is a run that keeps its lines.
func newRun(t *testing.T, targets []*plan.Target, scenarios ...scenario.Scenario) (Run, *recorder) {
	t.Helper()
	file, err := result.NewWriter(filepath.Join(t.TempDir(), "run.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	kept := &recorder{file: file}
	return Run{
		ID: "r", Plan: planOf(targets, scenarios...), Rounds: 3, Seed: new(uint64(7)), Command: "go test",
		Write: kept.write, Progress: kept, ServerLog: io.Discard,
	}, kept
}

// planOf lists the scenarios' cases of the targets, which their own clients call.
func planOf(targets []*plan.Target, scenarios ...scenario.Scenario) plan.Plan {
	p := plan.Plan{Targets: targets}
	var stacks []stack.Stack
	for _, t := range targets {
		if t.Replica == "" {
			stacks = append(stacks, t.Stack)
		}
	}
	for _, s := range scenarios {
		for _, c := range s.Cases(stacks) {
			p.Entries = append(p.Entries, entriesOf(targets, s, c)...)
		}
	}
	return p
}

// entriesOf are the entries of a case: one, and one more for each replica of its stack.
func entriesOf(targets []*plan.Target, s scenario.Scenario, c result.Case) (entries []plan.Entry) {
	if c.Mode == "" {
		return []plan.Entry{{Case: c, Scenario: s}}
	}
	for _, t := range targets {
		if t.Stack.Name.String() == c.Stack {
			c.Replica = t.Replica
			entries = append(entries, plan.Entry{Case: c, Scenario: s, Target: t, Caller: t.Client})
		}
	}
	return entries
}

// slots are the lines' places in their run, in the order in which they came.
func slots(lines []result.Line) []slot {
	all := make([]slot, len(lines))
	for i, l := range lines {
		all[i] = slot{l.Round, plan.KeyOf(l.Case)}
	}
	return all
}

// within keeps the lines of a round.
func within(round int, lines []result.Line) []result.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l result.Line) bool { return l.Round != round })
}

// interruptedBy is a scenario whose n-th slice ends with the context, which it
// ends itself.
func interruptedBy(cancel context.CancelFunc, n int) scenario.Scenario {
	s := perStack("slow")
	count := 0
	s.Measure = func(context.Context, scenario.Setup, result.Case) (result.Line, error) {
		if count++; count < n {
			return success(), nil
		}
		cancel()
		return result.Line{}, load.ErrInterrupted
	}
	return s
}
