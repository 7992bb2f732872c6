package rendezvous

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func hello(index int) Hello {
	return Hello{Run: "r", Index: index, Host: "h", Facts: []Fact{{"plan", "p"}}}
}

// meeting is a host for so many workers, which the test closes at its end.
func meeting(t *testing.T, count int, change func(*Config)) *Host {
	t.Helper()
	c := Config{First: hello(0), Count: count, Seed: 7, Wait: 10 * time.Second, Patience: 10 * time.Second}
	if change != nil {
		change(&c)
	}
	h, err := Listen(t.Context(), "127.0.0.1:0", c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return h
}

// all joins every worker and has each do its part, all at the same time. It returns the
// errors by index.
func all(t *testing.T, h *Host, part func(*Member, int) error) []error {
	t.Helper()
	errs := make([]error, h.Count)
	var workers sync.WaitGroup
	for index := range h.Count {
		workers.Go(func() {
			m, err := Join(t.Context(), h.Addr(), hello(index), 10*time.Second)
			if err == nil {
				err = part(m, index)
				if closeErr := m.Close(reasonOf(err)); err == nil {
					err = closeErr
				}
			}
			errs[index] = err
		})
	}
	workers.Wait()
	return errs
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestWindowsBeginAtOneTime(t *testing.T) {
	const slices = 3
	var mu sync.Mutex
	starts := map[int]map[int64]bool{}
	h := meeting(t, 4, nil)
	errs := all(t, h, func(m *Member, index int) error {
		if m.Seed != 7 {
			t.Errorf("seed %d, want 7", m.Seed)
		}
		for slice := range slices {
			for _, p := range []Point{Enter(slice), Begin(slice), End(slice)} {
				if index == 3 && p == Begin(slice) {
					continue // one that cannot measure passes by
				}
				start, err := m.Pass(t.Context(), p)
				if err != nil {
					return err
				}
				if p == Begin(slice) {
					mu.Lock()
					if starts[slice] == nil {
						starts[slice] = map[int64]bool{}
					}
					starts[slice][m.HostNS(start)] = true
					mu.Unlock()
				}
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for slice := range slices {
		if len(starts[slice]) != 1 {
			t.Errorf("slice %d began at %d times, want one: %v", slice, len(starts[slice]), starts[slice])
		}
	}
}

// A clock that is 2 s behind is found to be so, and the start is right by it.
func TestOffsetOfAClock(t *testing.T) {
	h := meeting(t, 1, nil)
	m, err := Join(t.Context(), h.Addr(), hello(0), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close("")
	m.clock.wall -= (2 * time.Second).Nanoseconds()
	m.compared = time.Time{}
	if err := m.compareClocks(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	if off := m.Offset.By - 2*time.Second; max(off, -off) > m.Offset.RoundTrip {
		t.Errorf("offset %v, want 2s to within %v", m.Offset.By, m.Offset.RoundTrip)
	}
}

func TestLostWorker(t *testing.T) {
	for _, goOn := range []bool{false, true} {
		h := meeting(t, 3, func(c *Config) { c.GoOn = goOn })
		var lost [3][]int
		errs := all(t, h, func(m *Member, index int) error {
			if index == 1 {
				return errors.New("no more memory")
			}
			_, err := m.Pass(t.Context(), Enter(0))
			lost[index] = m.Lost
			return err
		})
		for _, index := range []int{0, 2} {
			failed, ok := errors.AsType[*FailedError](errs[index])
			switch {
			case goOn && errs[index] != nil:
				t.Errorf("worker %d does not go on: %v", index, errs[index])
			case !goOn && (!ok || failed.Reason != "worker 1 on h was lost before the first slice: no more memory"):
				t.Errorf("worker %d says %v", index, errs[index])
			case !slices.Equal(lost[index], []int{1}):
				t.Errorf("worker %d says that %v are lost, want 1", index, lost[index])
			}
		}
	}
}

// A worker that hangs in a slice is not waited for without end.
func TestPatience(t *testing.T) {
	h := meeting(t, 2, func(c *Config) { c.Patience = 50 * time.Millisecond })
	errs := all(t, h, func(m *Member, index int) error {
		if index == 1 {
			time.Sleep(300 * time.Millisecond)
		}
		_, err := m.Pass(t.Context(), Enter(0))
		return err
	})
	if failed, ok := errors.AsType[*FailedError](errs[0]); !ok || !strings.Contains(failed.Reason, "worker 1 did not come to the next slice within 50ms") {
		t.Errorf("worker 0 says %v", errs[0])
	}
	if errs[1] == nil {
		t.Error("worker 1 goes on")
	}
}

// What is no worker of the run, such as a port scanner, does not disturb it.
func TestStrangers(t *testing.T) {
	h := meeting(t, 1, nil)
	for _, text := range []string{"", "GET / HTTP/1.1\r\n\r\n", "{}\n", `{"pass":{"point":1}}` + "\n", strings.Repeat("x", maxMessage+1)} {
		conn, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(text))
		_ = conn.Close()
	}
	other := hello(0)
	other.Run = "another"
	if _, err := Join(t.Context(), h.Addr(), other, time.Second); err == nil || !strings.Contains(err.Error(), "meeting point of run r") {
		t.Errorf("a worker of another run: %v", err)
	}
	if err := errors.Join(all(t, h, func(*Member, int) error { return nil })...); err != nil {
		t.Error(err)
	}
}

// A member does not wait without end for a host that hangs or that it does not reach any
// more.
func TestSilentHost(t *testing.T) {
	h := meeting(t, 2, nil)
	errs := all(t, h, func(m *Member, index int) error {
		if index == 0 {
			time.Sleep(200 * time.Millisecond)
			return nil
		}
		m.patience = 20 * time.Millisecond
		_, err := m.Pass(t.Context(), Enter(0))
		return err
	})
	if failed, ok := errors.AsType[*FailedError](errs[1]); !ok || !strings.Contains(failed.Reason, "was lost: it says nothing") {
		t.Errorf("worker 1 says %v", errs[1])
	}
}
