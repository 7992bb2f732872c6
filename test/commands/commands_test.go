package commands_test

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	greetv1 "example.com/greet/gen/greet/v1"
	"example.com/greet/test/built"
)

func TestMain(m *testing.M) { built.Main(m) }

const demo = `--- unary: Greet ---
[client] Hello, world!

--- server streaming: GreetStream ---
[client] Hello #1, streamer!
[client] Hello #2, streamer!
[client] Hello #3, streamer!

--- client streaming: GreetCount ---
[client] server counted 3 requests

--- bidirectional streaming: GreetChat ---
[client] Hi, alice!
[client] Hi, bob!
[client] Hi, carol!
`

func TestServerAndClientAsAUserRunsThem(t *testing.T) {
	for _, http2 := range []string{"net/http", "fast"} {
		t.Run(http2, func(t *testing.T) { serveAndCall(t, http2) })
	}
}

func serveAndCall(t *testing.T, http2 string) {
	cert := filepath.Join(t.TempDir(), "cert.pem")
	server := built.Command(t.Context(), t, "server", "--connect", "127.0.0.1:0", "--tls", "127.0.0.1:0", "--grpc", "127.0.0.1:0",
		"--cert-out", cert, "--http2", http2)
	addr := built.Serve(t, server, "connect", "tls", "grpc")
	for _, wire := range [][]string{
		{"--addr", addr["connect"], "--http2", http2},
		{"--addr", addr["tls"], "--transport", "h3", "--protocol", "grpcweb", "--ca", cert},
		{"--addr", addr["grpc"], "--lib", "grpc-go"},
	} {
		if out, log, status := built.Run(t, "client", wire...); status != 0 || out != demo {
			t.Errorf("client %s: status %d, log %s\n%s", strings.Join(wire, " "), status, log, cmp.Diff(demo, out))
		}
	}
	out, log, status := built.Run(t, "client", "--matrix", "--http2", http2, "--connect", addr["connect"], "--tls", addr["tls"], "--grpc", addr["grpc"], "--ca", cert)
	if status != 0 {
		t.Errorf("client --matrix: status %d, log %s\n%s", status, log, out)
	}
}

// startBenchmark starts a short run and returns it with the file that its results
// go to.
func startBenchmark(t *testing.T, args ...string) (cmd *exec.Cmd, out *bytes.Buffer, results string) {
	t.Helper()
	dir := t.TempDir()
	cmd = built.Command(t.Context(), t, "benchmark", append(args, "--out", dir)...)
	out = new(bytes.Buffer)
	cmd.Stdout = out
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := bufio.NewReader(stderr)
	first, err := log.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, results, _ = strings.Cut(strings.TrimSpace(first), "results go to ")
	go func() {
		for lines := bufio.NewScanner(log); lines.Scan(); {
			t.Log(lines.Text())
		}
	}()
	return cmd, out, results
}

// awaitResults waits until the file holds at least n whole lines.
func awaitResults(t *testing.T, file string, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil && bytes.Count(text, []byte("\n")) >= n {
			return
		}
	}
	t.Fatalf("%s has fewer than %d lines after a minute", file, n)
}

func TestBenchmarkMeasuresAndPrintsATable(t *testing.T) {
	dir := t.TempDir()
	out, log, status := built.Run(t, "benchmark", "--stacks", "grpc-go/grpc/h2c,connect-go/connect/h1", "--scenarios", "family", "--rounds", "2", "--out", dir)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, log, out)
	}
	for _, want := range []string{"grpc-go/grpc/h2c", "connect-go/connect/h1", "req/s", "MB/s", "msg/s", "2 rounds"} {
		if !strings.Contains(out, want) {
			t.Errorf("table lacks %q:\n%s", want, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, error %v, want one", files, err)
	}
	lines, err := readLines(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * (6 + 5); len(lines) != want {
		t.Errorf("%d results, want %d: bidi is not asked of HTTP/1.1", len(lines), want)
	}
	for _, l := range lines {
		if l.Accepted == nil || *l.Accepted != l.Opened || l.Opened < int64(l.Case.Connections) {
			t.Errorf("%s: %d connections opened, want as many accepted, and %d", l.Case.Stack, l.Opened, l.Case.Connections)
		}
		// net/http gives up a connection of HTTP/1.1 if the goroutine that wrote the
		// request does not get to say so within 50 ms of the response
		// (maxWriteWaitBeforeConnReuse), as happens on a busy machine. Then there is
		// one more, and the line says so.
		if more := l.Opened > int64(l.Case.Connections); more != slices.Contains(l.Verdicts, "connections-differ") {
			t.Errorf("%s: %d connections opened for %d, verdicts %v", l.Case.Stack, l.Opened, l.Case.Connections, l.Verdicts)
		}
	}
	if again, _, status := built.Run(t, "benchmark", "report", files[0]); status != 0 || again != out {
		t.Errorf("report of the file: status %d, differs from what the run printed:\n%s", status, cmp.Diff(out, again))
	}
	if _, _, status := built.Run(t, "benchmark", "validate", files[0]); status != 0 {
		t.Errorf("validate: status %d, want 0", status)
	}
}

func TestServerKilledInMidRun(t *testing.T) {
	run, out, results := startBenchmark(t, "--stacks", "grpc-go/grpc/h2c", "--scenarios", "family", "--rounds", "3")
	awaitResults(t, results, 2)
	for _, child := range children(t, run.Process.Pid) {
		if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
	if err := run.Wait(); run.ProcessState.ExitCode() != 1 {
		t.Errorf("run ended with %v, want exit status 1", err)
	}
	lines, err := readLines(results)
	if err != nil || len(lines) != 18 {
		t.Fatalf("%d whole results, error %v, want 18", len(lines), err)
	}
	if last := lines[17]; last.Calls != 0 || len(last.Metrics) != 0 || last.Errors["unavailable"] == 0 {
		t.Errorf("last result %+v, want no success, no metric and unavailable", last)
	}
	if !strings.Contains(out.String(), "errors") {
		t.Errorf("table does not say %q:\n%s", "errors", out)
	}
}

func TestInterruptedRunPrintsWhatThereIs(t *testing.T) {
	run, out, results := startBenchmark(t, "--stacks", "grpc-go/grpc/h2c", "--scenarios", "family", "--rounds", "100")
	awaitResults(t, results, 3)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); run.ProcessState.ExitCode() != 130 {
		t.Errorf("run ended with %v, want exit status 130", err)
	}
	if lines, err := readLines(results); err != nil || len(lines) < 3 {
		t.Errorf("%d whole results, error %v, want at least 3", len(lines), err)
	}
	if !strings.Contains(out.String(), "grpc-go/grpc/h2c") {
		t.Errorf("no table of what there is:\n%s", out)
	}
}

// unreliable is a server that does its work once, for whoever tries it out, and
// no more: it answers wrongly, or with err.
type unreliable struct {
	greetv1.UnimplementedGreetServiceServer
	err   error
	calls atomic.Int64
}

func (u *unreliable) Greet(_ context.Context, req *greetv1.GreetRequest) (*greetv1.GreetResponse, error) {
	if u.calls.Add(1) == 1 {
		return &greetv1.GreetResponse{Greeting: "Hello, " + req.GetName() + "!"}, nil
	}
	return &greetv1.GreetResponse{Greeting: "Hello!"}, u.err
}

func (u *unreliable) GreetChat(chat grpc.BidiStreamingServer[greetv1.GreetChatRequest, greetv1.GreetChatResponse]) error {
	_, _ = chat.Recv()
	return u.err // at once: without an error, a clean end of a cut stream
}

func TestServersThatDoNotDoTheirWorkGetNoNumber(t *testing.T) {
	for verdict, server := range map[string]*unreliable{
		"wrong-reply": {},
		"errors":      {err: status.Error(codes.Unavailable, "no more today")},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s := grpc.NewServer()
		greetv1.RegisterGreetServiceServer(s, server)
		go func() { _ = s.Serve(l) }()
		defer s.Stop()
		out, log, code := built.Run(t, "benchmark", "--target", "mine/grpc/h2c="+l.Addr().String(), "--scenarios", "family", "--rounds", "1", "--out", t.TempDir())
		if code != 1 || !strings.Contains(out, verdict) {
			t.Errorf("status %d, want 1 and the verdict %s in\n%s\n%s", code, verdict, out, log)
		}
	}
}

// children lists the processes that pid has started.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children") // one for each thread
	if err != nil || len(lists) == 0 {
		t.Skipf("the kernel does not tell of child processes: %v", err)
	}
	var pids []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for field := range strings.FieldsSeq(string(text)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, child)
		}
	}
	return pids
}
