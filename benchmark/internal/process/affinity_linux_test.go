package process

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/procfs"
)

func TestServerRunsOnItsCPUs(t *testing.T) {
	cpus, err := CPUs()
	if err != nil || len(cpus) == 0 {
		t.Fatalf("CPUs %v, error %v, want one at least", cpus, err)
	}
	own := cpus[len(cpus)-1:]
	s, err := Start(t.Context(), Command{Name: "x", Argv: []string{os.Args[0], "serve", "{addr}"}, CPUs: own})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	if got := allowed(t, s.PID()); !slices.Equal(got, own) {
		t.Errorf("the server may run on CPUs %v, want %v", got, own)
	}
	if after, err := CPUs(); err != nil || !slices.Equal(after, cpus) {
		t.Errorf("this process may run on CPUs %v, error %v, want %v as before", after, err, cpus)
	}
}

func TestEveryThreadIsPinned(t *testing.T) {
	cpus, err := CPUs()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := Pin(cpus); err != nil {
			t.Error(err)
		}
	}()
	if err := Pin(cpus[:1]); err != nil {
		t.Fatal(err)
	}
	threads, err := filepath.Glob("/proc/self/task/*")
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads %v, error %v", threads, err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(filepath.Base(thread))
		if err != nil {
			t.Fatal(err)
		}
		if got := allowed(t, id); !slices.Equal(got, cpus[:1]) {
			t.Errorf("thread %d may run on CPUs %v, want %v", id, got, cpus[:1])
		}
	}
}

// allowed lists the processors that a process, or a thread, may run on.
func allowed(t *testing.T, id int) []int {
	t.Helper()
	p, err := procfs.NewProc(id)
	if err != nil {
		t.Fatal(err)
	}
	status, err := p.NewStatus()
	if err != nil {
		t.Fatal(err)
	}
	var cpus []int
	for _, cpu := range status.CpusAllowedList {
		cpus = append(cpus, int(cpu))
	}
	return cpus
}

func TestServerWritesProfiles(t *testing.T) {
	s, err := start(t, "serve")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{CPUProfile, HeapProfile} {
		file := filepath.Join(t.TempDir(), "profile")
		stop, err := s.Profile(kind, file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Profile(kind, file+"2"); err == nil {
			t.Errorf("%s: a second profile was started while the first was taken", kind)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(file); err != nil || len(text) == 0 {
			t.Errorf("%s: profile has %d bytes, error %v", kind, len(text), err)
		}
		if err := stop(); err == nil {
			t.Errorf("%s: stopped twice without an error", kind)
		}
	}
	if _, err := s.Profile("sideways", filepath.Join(t.TempDir(), "x")); err == nil {
		t.Error("no error for a kind that there is not")
	}
	if _, err := s.Profile(CPUProfile, "/nonexistent/profile"); err == nil {
		t.Error("no error for a file that cannot be made")
	}
	if err := s.Stop(5 * time.Second); err != nil {
		t.Error(err)
	}
}
