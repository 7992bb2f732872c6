package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// behaviours are what a child of these tests can do. The test binary runs itself
// again with one of their names.
var behaviours = map[string]func(args []string){
	"serve": serve,
	"litters": func(args []string) { // has used 64 MiB, and needs them no more
		litter := make([]byte, 64<<20)
		for i := 0; i < len(litter); i += 1 << 10 {
			litter[i] = 1
		}
		serve(args)
	},
	"silent": func([]string) { // listens, answers nothing on the control socket
		fmt.Println("listening 127.0.0.1:1")
		_, _ = io.Copy(io.Discard, os.Stdin)
	},
	"ends at once":  func([]string) { os.Exit(3) },
	"prints prose":  func([]string) { fmt.Println("Server started on port 80!"); select {} },
	"prints a word": func([]string) { fmt.Println("listening here"); select {} },
	"fails at the end": func([]string) {
		terminated := make(chan os.Signal, 1)
		signal.Notify(terminated, syscall.SIGTERM)
		fmt.Println("listening 127.0.0.1:1")
		<-terminated
		os.Exit(4)
	},
	"ignores SIGTERM": func([]string) {
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("listening 127.0.0.1:1")
		select {}
	},
	"prints a lot": func([]string) {
		fmt.Println("listening 127.0.0.1:1")
		for range 10_000 {
			fmt.Println(strings.Repeat("noise ", 100))
		}
		fmt.Fprintln(os.Stderr, "printed it all")
		_, _ = io.Copy(io.Discard, os.Stdin)
	},
}

// serve is a well-behaved child: it accepts and counts connections.
func serve(args []string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ctx = UntilStdinEnds(ctx, os.Stdin)
	l, err := net.Listen("tcp", args[0])
	if err != nil {
		panic(err)
	}
	accepted := make(chan int64, 1)
	accepted <- 0
	if err := AnswerControl(func() int64 { n := <-accepted; accepted <- n; return n }); err != nil {
		panic(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- <-accepted + 1
			conn.Close()
		}
	}()
	fmt.Println("listening", l.Addr())
	<-ctx.Done()
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if behave, ok := behaviours[os.Args[1]]; ok {
			behave(os.Args[2:])
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func start(t *testing.T, behaviour string) (*Server, error) {
	t.Helper()
	s, err := Start(t.Context(), Command{Name: behaviour, Argv: []string{os.Args[0], behaviour, "{addr}"}})
	if err == nil {
		t.Cleanup(func() { s.kill() })
	}
	return s, err
}

func TestServerTellsWhereItListensAndWhatItAccepted(t *testing.T) {
	s, err := start(t, "serve")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		conn, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.ReadAll(conn) // ends once the server has counted and closed it
	}
	stats, err := s.Stats()
	if err != nil || stats.Accepted != 3 {
		t.Errorf("server accepted %d connections, error %v, want 3", stats.Accepted, err)
	}
	if stats.Allocs == 0 || stats.AllocBytes == 0 {
		t.Errorf("stats %+v: a Go process has allocated something", stats)
	}
	seen, err := Observe(s.PID())
	if err != nil || seen.PeakBytes < 1<<20 || stats.PeakBytes < 1<<20 {
		t.Errorf("peak memory observed %d, told %d, error %v, want some megabytes", seen.PeakBytes, stats.PeakBytes, err)
	}
	if err := s.Stop(5 * time.Second); err != nil {
		t.Error(err)
	}
}

func TestChildEndsWhenItsStdinEnds(t *testing.T) {
	s, err := start(t, "serve")
	if err != nil {
		t.Fatal(err)
	}
	s.stdin.Close()
	select {
	case <-s.Exited():
	case <-time.After(10 * time.Second):
		t.Error("child goes on 10 s after its standard input has ended")
	}
}

func TestServerThatIgnoresTheControlSocket(t *testing.T) {
	s, err := start(t, "silent")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second answer comes at once: it is asked no more
		if _, err := s.Stats(); !errors.Is(err, ErrNoStats) {
			t.Errorf("error %v, want ErrNoStats", err)
		}
	}
}

func TestServerThatGoesOnPrintingIsNotBlocked(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.Context(), Command{Name: "x", Argv: []string{os.Args[0], "prints a lot"}, Log: w})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	got := make([]byte, len("printed it all"))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != "printed it all" {
		t.Errorf("log %q, error %v", got, err)
	}
}

func TestStartErrors(t *testing.T) {
	for behaviour, want := range map[string]string{
		"ends at once":  "start server ends at once: it ended before it printed `listening HOST:PORT`",
		"prints prose":  "start server prints prose: it printed \"Server started on port 80!\\n\", want `listening HOST:PORT`",
		"prints a word": "start server prints a word: it printed \"listening here\\n\", want `listening HOST:PORT`",
	} {
		if _, err := start(t, behaviour); err == nil || err.Error() != want {
			t.Errorf("%s: error %q, want %q", behaviour, err, want)
		}
	}
	if _, err := Start(t.Context(), Command{Name: "x", Argv: []string{"/nonexistent/server"}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want one that says that the program does not exist", err)
	}
	if _, err := Start(t.Context(), Command{Name: "x"}); err == nil {
		t.Error("no error for an empty command")
	}
}

func TestStopErrors(t *testing.T) {
	for behaviour, want := range map[string]string{
		"fails at the end": "stop server fails at the end: exit status 4",
		"ignores SIGTERM":  "stop server ignores SIGTERM: killed, since it did not exit within 200ms of SIGTERM",
	} {
		s, err := start(t, behaviour)
		if err != nil {
			t.Fatal(err)
		}
		patience := 200 * time.Millisecond
		if behaviour == "fails at the end" {
			patience = 10 * time.Second
		}
		if err := s.Stop(patience); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", behaviour, err, want)
		}
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, Command{Name: "x", Argv: []string{os.Args[0], "ignores SIGTERM"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestPlaceholders(t *testing.T) {
	fill := Fill{Protocol: "grpc", Transport: "h2", Cert: "/c", Key: "/k"}
	got := strings.Join(fill.argv([]string{"--addr={addr}", "{protocol}/{transport}", "{cert}", "{key}", "{other}"}), " ")
	if want := "--addr=127.0.0.1:0 grpc/h2 /c /k {other}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
