package run

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/greet/benchmark/internal/plan"
	"example.com/greet/benchmark/internal/scenario"
)

// metered starts the server of a target and returns its meter.
func metered(t *testing.T) (scenario.Setup, string) {
	t.Helper()
	target, pidFile := startable(t, two[0])
	all, err := start(t.Context(), []*plan.Target{target}, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.stop() }) // such a server does not drain: SIGTERM ends it
	return all.byTarget[target].Setup, pidFile
}

func TestMeterReadsBothProcesses(t *testing.T) {
	target, _ := metered(t)
	before, err := target.Meter.Read()
	if err != nil {
		t.Fatal(err)
	}
	after, err := target.Meter.Read()
	if err != nil {
		t.Fatal(err)
	}
	for side, totals := range map[scenario.Side][2]scenario.Totals{
		scenario.ClientSide: {before.Client, after.Client},
		scenario.ServerSide: {before.Server, after.Server},
	} {
		first, second := totals[0], totals[1]
		if first.Allocs == 0 || second.Allocs <= first.Allocs || second.AllocBytes <= first.AllocBytes {
			t.Errorf("%s: allocations from %+v to %+v, want more: reading takes some", side, first, second)
		}
		if first.UserNS+first.SystemNS == 0 || second.Voluntary < first.Voluntary || first.Voluntary == 0 {
			t.Errorf("%s: from %+v to %+v, want processor time, and context switches that grow", side, first, second)
		}
	}
	if len(after.Ports) > 0 {
		t.Errorf("connections from the ports %v, want none", after.Ports)
	}
}

func TestMeterCountsSyscallsOfEitherSide(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip(err)
	}
	target, _ := metered(t)
	for _, side := range []scenario.Side{scenario.ClientSide, scenario.ServerSide} {
		counts, err := target.Meter.Syscalls(side, func() {
			for range 20 {
				if _, err := target.Meter.Read(); err != nil { // the server answers each
					t.Error(err)
				}
			}
		})
		if err != nil {
			t.Skipf("this system does not let processes be traced: %v", err)
		}
		if counts["write"] < 19 { // the last may not have returned yet when strace lets go
			t.Errorf("%s: %v, want 19 writes at least", side, counts)
		}
	}
}

func TestMeterStartsAnotherServer(t *testing.T) {
	target, pidFile := metered(t)
	first, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	fresh, stop, err := target.Meter.Start(t.Context(), "env", "GREET_TEST=1")
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(first)) == strings.TrimSpace(string(second)) {
		t.Errorf("both servers are process %s", first)
	}
	if got, err := fresh.Meter.Read(); err != nil || got.Server.Allocs == 0 {
		t.Errorf("the fresh server has used %+v, %v", got.Server, err)
	}
	if _ = stop(); !gone(t, pidFile) {
		t.Error("the fresh server goes on")
	}
}
