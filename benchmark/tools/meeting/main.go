// Command meeting measures what it costs N workers to meet, before a run and around each
// of its slices, with processes that make no load but sleep for as long. All run on this
// machine, whose processors they share, so it prints the processor time of the meeting
// point apart: of N machines, that is what one has to bear.
//
//	go run ./benchmark/tools/meeting --workers 10,100,1000
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"example.com/greet/benchmark/internal/process"
	"example.com/greet/benchmark/internal/rendezvous"
)

// window is how long the sleep lasts that stands for the load.
const window = 100 * time.Millisecond

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "meeting:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("meeting", flag.ContinueOnError)
	counts := flags.String("workers", "10,100,1000", "how many workers, one `N` after the other")
	slices := flags.Int("slices", 20, "how many slices each `N` measures")
	member := flags.String("member", "", "be one worker, at this `ADDRESS` of the meeting point")
	index := flags.Int("index", 0, "which worker")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *member != "" {
		a, err := attend(ctx, *member, *index, *slices)
		return errors.Join(err, json.NewEncoder(os.Stdout).Encode(a))
	}
	fmt.Println("| workers | to start and meet | beyond the window, a slice | of the meeting point's processor | told after the start, at worst | clocks known to within |")
	fmt.Println("|--:|--:|--:|--:|--:|--:|")
	for text := range strings.SplitSeq(*counts, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("read --workers: %w", err)
		}
		if err := meet(ctx, n, *slices); err != nil {
			return fmt.Errorf("meet with %d workers: %w", n, err)
		}
	}
	return nil
}

// hello is that of a worker without a plan.
func hello(index int) rendezvous.Hello {
	return rendezvous.Hello{Run: "meeting", Index: index, Host: "here"}
}

// patience is how long a thousand processes may take to start on a machine of two
// processors, and to meet.
const patience = 5 * time.Minute

// account is what a worker says of its meetings.
type account struct {
	Joined    time.Time     // when all had
	Over      time.Time     // when all were at the end of the last slice
	Late      time.Duration // how long after a start it was told, at worst
	RoundTrip time.Duration // the longest that an offset comes from
	Spent     time.Duration // processor time of its process since all had joined
}

// attend goes through all slices as a worker.
func attend(ctx context.Context, addr string, index, slices int) (a account, err error) {
	m, err := rendezvous.Join(ctx, addr, hello(index), patience)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, m.Close("")) }()
	a.Joined = time.Now()
	begun := spent()
	for slice := range slices {
		if _, err := m.Pass(ctx, rendezvous.Enter(slice)); err != nil {
			return a, err
		}
		start, err := m.Pass(ctx, rendezvous.Begin(slice))
		if err != nil {
			return a, err
		}
		a.Late, a.RoundTrip = max(a.Late, time.Since(start)), max(a.RoundTrip, m.Offset.RoundTrip)
		time.Sleep(time.Until(start.Add(window)))
		if _, err := m.Pass(ctx, rendezvous.End(slice)); err != nil {
			return a, err
		}
	}
	a.Over, a.Spent = time.Now(), spent()-begun
	return a, nil
}

// spent is the processor time of this process so far.
func spent() time.Duration {
	own := process.Own()
	return time.Duration(own.UserNS + own.SystemNS)
}

// meet starts the workers, the first in this process, and prints a row for what they say.
func meet(ctx context.Context, workers, slices int) error {
	host, err := rendezvous.Listen(ctx, "127.0.0.1:0", rendezvous.Config{First: hello(0), Count: workers, Wait: patience, Patience: patience})
	if err != nil {
		return err
	}
	begun := time.Now()
	others := make([]*worker, workers-1)
	for i := range others {
		if others[i], err = start(ctx, host.Addr(), i+1, slices); err != nil {
			return errors.Join(err, host.Close(ctx))
		}
	}
	first, err := attend(ctx, host.Addr(), 0, slices)
	accounts, errs := []account{first}, []error{err}
	for _, other := range others {
		a, err := other.account()
		accounts, errs = append(accounts, a), append(errs, err)
	}
	if err := errors.Join(append(errs, host.Close(ctx))...); err != nil {
		return err
	}
	printRow(begun, accounts, slices)
	return nil
}

// worker is one in a process of its own.
type worker struct {
	process *exec.Cmd
	said    bytes.Buffer
}

func start(ctx context.Context, addr string, index, slices int) (*worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &worker{process: exec.CommandContext(ctx, self, "--member", addr, "--index", strconv.Itoa(index), "--slices", strconv.Itoa(slices))}
	w.process.Env = append(os.Environ(), "GOMAXPROCS=1")
	w.process.Stdout, w.process.Stderr = &w.said, os.Stderr
	return w, w.process.Start()
}

// account waits for the worker's end.
func (w *worker) account() (a account, err error) {
	if err := w.process.Wait(); err != nil {
		return a, err
	}
	return a, json.Unmarshal(w.said.Bytes(), &a)
}

func printRow(begun time.Time, accounts []account, slices int) {
	all := accounts[0]
	for _, a := range accounts {
		all.Late, all.RoundTrip = max(all.Late, a.Late), max(all.RoundTrip, a.RoundTrip)
	}
	beyond := all.Over.Sub(all.Joined)/time.Duration(slices) - window
	fmt.Printf("| %d | %v | %v | %v | %v | %v |\n", len(accounts), all.Joined.Sub(begun).Round(10*time.Millisecond), beyond.Round(100*time.Microsecond),
		(all.Spent / time.Duration(slices)).Round(100*time.Microsecond), all.Late.Round(100*time.Microsecond), (all.RoundTrip / 2).Round(10*time.Microsecond))
}
