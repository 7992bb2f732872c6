package commands_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/greet/test/built"
)

// crew are workers that load one server together.
type crew struct {
	dir     string
	args    []string // that all have
	workers []*exec.Cmd
	logs    []*bytes.Buffer
}

const token = "only for this run"

// newCrew starts the server. No worker runs yet.
func newCrew(t *testing.T, args ...string) *crew {
	t.Helper()
	figures := freeAddr(t)
	server := built.Command(t.Context(), t, "benchmark", "serve", "--stack", "grpc-go/grpc/h2c", "--figures", figures)
	server.Env = append(os.Environ(), "GREET_TOKEN="+token)
	addr := built.Serve(t, server, "")[""]
	return &crew{dir: t.TempDir(), args: append([]string{
		"worker", "--run-id", "r", "--rendezvous", freeAddr(t), "--wait", "10s",
		"--target", "mine/grpc/h2c=" + addr, "--target-figures", "mine/grpc/h2c=" + figures,
		"--cases", "concurrency 4 ", "--slice", "300ms",
	}, args...)}
}

// freeAddr is an address that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(freePorts(t, 1)))
}

// freePorts is the first of n ports in a row that nobody listens on. They lie below those
// that Linux and macOS give to connections and to listeners on port 0, so that no other
// test is given one of them in the meantime.
func freePorts(t *testing.T, n int) int {
	t.Helper()
	for range 100 {
		first := 20_000 + rand.IntN(10_000)
		if allFree(first, n) {
			return first
		}
	}
	t.Fatalf("no %d free ports in a row in 100 tries", n)
	return 0
}

func allFree(first, n int) bool {
	for port := first; port < first+n; port++ {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return false
		}
		l.Close()
	}
	return true
}

// start starts a worker, with variables that tell it who it is and flags of its own.
func (c *crew) start(t *testing.T, variables []string, args ...string) {
	t.Helper()
	worker := built.Command(t.Context(), t, "benchmark", slices.Concat(c.args, []string{"--out", c.dir}, args)...)
	worker.Env = append(append(os.Environ(), "GREET_TOKEN="+token), variables...)
	log := new(bytes.Buffer)
	worker.Stderr = log
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	c.workers, c.logs = append(c.workers, worker), append(c.logs, log)
}

// job has a worker know its place as an Indexed Job of Kubernetes says it, and step as a
// job step of Slurm does.
func job(index, count int) []string {
	return []string{fmt.Sprint("JOB_COMPLETION_INDEX=", index), fmt.Sprint("JOB_COMPLETIONS=", count)}
}

func step(index, count int) []string {
	return []string{fmt.Sprint("SLURM_PROCID=", index), fmt.Sprint("SLURM_NTASKS=", count)}
}

// wait waits for all workers and returns their exit statuses.
func (c *crew) wait() (statuses []int) {
	for _, worker := range c.workers {
		_ = worker.Wait() // the status says it
		statuses = append(statuses, worker.ProcessState.ExitCode())
	}
	return statuses
}

// merged merges the shards that there are. It returns the file, and what was said.
func (c *crew) merged(t *testing.T) (file, log string, status int) {
	t.Helper()
	shards, err := filepath.Glob(filepath.Join(c.dir, "r.worker-*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out, log, status := built.Run(t, "benchmark", append([]string{"merge"}, shards...)...)
	file = filepath.Join(c.dir, "merged.jsonl")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, log, status := built.Run(t, "benchmark", append([]string{"validate", file}, shards...)...); status != 0 {
		t.Fatalf("validate: %s", log)
	}
	return file, log, status
}

// tables are the reports of the shards, which say why a result does not stand.
func (c *crew) tables(t *testing.T) (all []string) {
	t.Helper()
	for i := range c.workers {
		out, log, _ := built.Run(t, "benchmark", "report", filepath.Join(c.dir, fmt.Sprintf("r.worker-%d.jsonl", i)))
		all = append(all, out+log)
	}
	return all
}

// expectLogs wants each worker to end with a line that holds its text.
func (c *crew) expectLogs(t *testing.T, want ...string) {
	t.Helper()
	for i, text := range want {
		lines := strings.Split(strings.TrimSpace(c.logs[i].String()), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, text) {
			t.Errorf("worker %d ended with %q, want %q in it; all of it:\n%s", i, last, text, c.logs[i])
		}
	}
}

func TestWorkersMeasureTogether(t *testing.T) {
	for name, variables := range map[string]func(index, count int) []string{"Kubernetes": job, "Slurm": step} {
		t.Run(name, func(t *testing.T) {
			c := newCrew(t, "--rounds", "2")
			for index := range 4 {
				c.start(t, variables(index, 4))
			}
			if got := c.wait(); !slices.Equal(got, []int{0, 0, 0, 0}) {
				t.Fatalf("workers ended with %v\n%s\n%s", got, c.logs, c.tables(t))
			}
			file, log, status := c.merged(t)
			if status != 0 {
				t.Errorf("merge: status %d, %s", status, log)
			}
			lines := readResults(t, file)
			if len(lines) != 6 {
				t.Errorf("%d results, want 3 cases in 2 rounds", len(lines))
			}
			for _, l := range lines {
				if w := l.Workers; w == nil || w.Count != 4 || w.Shards != 4 || w.Hosts != 1 || l.Case.Concurrency != 16 || l.Opened != 4 || l.Accepted == nil || *l.Accepted != 4 {
					t.Errorf("a line of workers %+v, concurrency %d, %d connections of which %v accepted", l.Workers, l.Case.Concurrency, l.Opened, l.Accepted)
				}
			}
			out, log, status := built.Run(t, "benchmark", "report", file)
			if status != 0 || !strings.Contains(out, "4 workers on one host") {
				t.Errorf("report: status %d, %s\n%s", status, log, out)
			}
		})
	}
}

// Whoever cannot take part ends the run for all, and each says why.
func TestWorkersThatCannotTakePart(t *testing.T) {
	tests := []struct {
		name string
		last []string // flags of the last of three workers
		want string
	}{
		{"another plan", []string{"--cases", "concurrency 16 "}, "worker 2 on "},
		{"another seed", []string{"--seed", "1"}, "has another seed: 1, and worker 0 has drawn"},
		{"another number of workers", []string{"--count", "4"}, "has another number of workers: 4, and worker 0 has 3"},
		{"a target that it does not reach", []string{"--target", "other/grpc/h2c=127.0.0.1:1", "--wait", "2s"}, "cannot call target other/grpc/h2c at 127.0.0.1:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCrew(t, "--rounds", "1")
			for index := range 2 {
				c.start(t, job(index, 3))
			}
			c.start(t, job(2, 3), tt.last...)
			if got := c.wait(); !slices.Equal(got, []int{1, 1, 1}) {
				t.Errorf("workers ended with %v, want each with 1", got)
			}
			c.expectLogs(t, tt.want, tt.want, tt.want)
			if files, _ := filepath.Glob(filepath.Join(c.dir, "*")); len(files) > 0 {
				t.Errorf("they left %v", files)
			}
		})
	}
}

func TestWorkersThatDoNotCome(t *testing.T) {
	t.Run("the run fails", func(t *testing.T) {
		c := newCrew(t, "--rounds", "1", "--wait", "2s")
		c.start(t, job(0, 3))
		c.start(t, job(1, 3))
		c.start(t, job(1, 3), "--out", t.TempDir())
		if got := c.wait(); !slices.Equal(got, []int{1, 1, 1}) {
			t.Errorf("workers ended with %v, want each with 1", got)
		}
		all := c.logs[0].String() + c.logs[1].String() + c.logs[2].String()
		for _, want := range []string{"worker 2 did not come within 2s", "is the second of this index"} {
			if !strings.Contains(all, want) {
				t.Errorf("nobody says %q:\n%s", want, all)
			}
		}
	})
	t.Run("the run goes on", func(t *testing.T) {
		c := newCrew(t, "--rounds", "1", "--wait", "2s", "--go-on")
		c.start(t, job(0, 3))
		c.start(t, job(1, 3))
		if got := c.wait(); !slices.Equal(got, []int{0, 0}) {
			t.Fatalf("workers ended with %v\n%s", got, c.logs)
		}
		file, log, status := c.merged(t)
		if status != 0 {
			t.Errorf("merge: status %d, %s", status, log)
		}
		for _, l := range readResults(t, file) {
			if !slices.Contains(l.Verdicts, "worker-lost") || l.Workers.Shards != 2 {
				t.Errorf("a line with verdicts %v of %+v", l.Verdicts, l.Workers)
			}
		}
	})
	t.Run("no meeting point", func(t *testing.T) {
		c := newCrew(t, "--rounds", "1", "--wait", "1s")
		c.start(t, job(1, 2))
		c.wait()
		c.expectLogs(t, "reach the meeting point")
	})
}

// A worker that is killed takes no line of the others with it.
func TestKilledWorker(t *testing.T) {
	for _, goOn := range []bool{false, true} {
		t.Run(fmt.Sprint("go on: ", goOn), func(t *testing.T) {
			c := newCrew(t, "--rounds", "8", fmt.Sprint("--go-on=", goOn))
			for index := range 3 {
				c.start(t, job(index, 3))
			}
			awaitResults(t, awaitFile(t, filepath.Join(c.dir, "r.worker-2.jsonl")), 4)
			if err := c.workers[2].Process.Kill(); err != nil {
				t.Fatal(err)
			}
			want, rows := []int{1, 1, -1}, 0
			if goOn {
				want, rows = []int{0, 0, -1}, 24
			}
			if got := c.wait(); !slices.Equal(got, want) {
				t.Fatalf("workers ended with %v, want %v\n%s", got, want, c.logs)
			}
			if !goOn {
				c.expectLogs(t, "worker 2 on", "worker 2 on")
			}
			file, _, _ := c.merged(t)
			lines := readResults(t, file)
			if rows > 0 && len(lines) != rows || len(lines) < 4 {
				t.Errorf("%d rows, want %d", len(lines), rows)
			}
			for i, l := range lines {
				if lost := slices.Contains(l.Verdicts, "worker-lost"); lost != (i >= 4 && l.Workers.Shards < 3) && i != 4 {
					t.Errorf("row %d of %+v has verdicts %v", i, l.Workers, l.Verdicts)
				}
			}
		})
	}
}

func TestBadShards(t *testing.T) {
	c := newCrew(t, "--rounds", "1")
	for index := range 2 {
		c.start(t, job(index, 2))
	}
	if got := c.wait(); !slices.Equal(got, []int{0, 0}) {
		t.Fatalf("workers ended with %v\n%s", got, c.logs)
	}
	shards := []string{filepath.Join(c.dir, "r.worker-0.jsonl"), filepath.Join(c.dir, "r.worker-1.jsonl")}
	text, err := os.ReadFile(shards[1])
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(c.dir, "other.jsonl")
	if err := os.WriteFile(other, bytes.ReplaceAll(text, []byte(`"run":"r"`), []byte(`"run":"s"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"one is missing", []string{"merge", shards[0]}, 1, "3 of 3 results do not stand"},
		{"one is there twice", []string{"merge", shards[0], shards[1], shards[1]}, 1, "3 of 3 results do not stand"},
		{"two runs", []string{"merge", shards[0], other}, 1, "they are of two runs, r and s"},
		{"reported without merging", []string{"report", shards[0], shards[1]}, 1, "benchmark merge"},
		{"no shard", []string{"merge", "benchmark/results/languages-cost.jsonl"}, 1, "is no shard"},
		{"index beyond count", []string{"worker", "--index", "2", "--count", "2"}, 2, "--index 2: want 0 to 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, log, status := built.Run(t, "benchmark", tt.args...); status != tt.status || !strings.Contains(log, tt.want) {
				t.Errorf("status %d and %q, want %d and %q", status, log, tt.status, tt.want)
			}
		})
	}
}

func TestFiguresNeedTheToken(t *testing.T) {
	c := newCrew(t)
	target, figures := c.args[8], c.args[10]
	run := []string{"--target", target, "--target-figures", figures, "--scenarios", "channels", "--rounds", "1", "--slice", "300ms", "--out", c.dir}
	_, log, status := built.Run(t, "benchmark", append(run, "--token", "a guess")...)
	if want := "the token is not that of the server"; status != 1 || !strings.Contains(log, want) {
		t.Errorf("with a wrong token: status %d and %q, want 1 and %q", status, log, want)
	}
	out, log, status := built.Run(t, "benchmark", append(run, "--token", token)...)
	if status != 0 {
		t.Fatalf("status %d, %s", status, log)
	}
	files, _ := filepath.Glob(filepath.Join(c.dir, "*.jsonl"))
	for _, l := range readResults(t, files[0]) {
		if l.Accepted == nil || *l.Accepted != int64(l.Case.Connections) {
			t.Errorf("the server accepted %v of %d connections", l.Accepted, l.Case.Connections)
		}
	}
	if strings.Contains(out, token) {
		t.Errorf("the report gives the token away:\n%s", out)
	}
}

// TestServePeer has serve start the server of a peer, by the contract that all servers
// keep, and tell what that one uses.
func TestServePeer(t *testing.T) {
	program := built.Command(t.Context(), t, "benchmark").Path
	t.Chdir(t.TempDir())
	text := fmt.Sprintf(`{"name": "other", "language": "go", "needs": ["true"], "build": ["true"], "libraries": ["echo", "none 1"],
		"serve": [%q, "serve", "--stack", "grpc-go/grpc/h2c", "--until-stdin-ends", "--addr", "{addr}"],
		"stacks": [{"name": "other/grpc/h2c"}]}`, program)
	for name, content := range map[string]string{"peer.json": text, ".built": ""} {
		dir := filepath.Join("peers", "other")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	figures := freeAddr(t)
	server := built.Command(t.Context(), t, "benchmark", "serve", "--stack", "other/grpc/h2c", "--figures", figures, "--token", token)
	addr := built.Serve(t, server, "")[""]
	_, log, status := built.Run(t, "benchmark", "--target", "mine/grpc/h2c="+addr, "--target-figures", "mine/grpc/h2c="+figures, "--token", token,
		"--scenarios", "channels", "--rounds", "1", "--slice", "300ms", "--out", "results")
	if status != 0 {
		t.Fatalf("status %d, %s", status, log)
	}
	for _, l := range readResults(t, awaitFile(t, filepath.Join("results", "*.jsonl"))) {
		if l.Accepted == nil || *l.Accepted != int64(l.Case.Connections) {
			t.Errorf("the server accepted %v of %d connections", l.Accepted, l.Case.Connections)
		}
	}
	if _, log, status := built.Run(t, "benchmark", "serve", "--stack", "none/grpc/h2c"); status != 2 || !strings.Contains(log, "none/grpc/h2c") {
		t.Errorf("of no such stack: status %d, %s", status, log)
	}
}
