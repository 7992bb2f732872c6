package result

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBaselineKeepsWhatRepeats(t *testing.T) {
	lines := allocating(t, "r1", "1", 100, 101, 100.5)
	for i := range lines {
		lines[i].Metrics = append(lines[i].Metrics, Metric{Name: "wire_bytes_per_call", Unit: "B", Better: Lower, Value: 50 + float64(i)})
		if i > 0 {
			lines[i].Metrics = append(lines[i].Metrics, Metric{Name: "syscalls_now_and_then", Unit: "1", Better: Lower, Value: 1})
		}
	}
	b, err := NewBaseline(lines, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Lines) != 1 || b.Lines[0].Case.Key() != lines[0].Case.Key() {
		t.Fatalf("lines %+v, want one of the case", b.Lines)
	}
	want := []Metric{{Name: "allocations_per_call", Unit: "1", Better: Lower, Value: 100.5}}
	if diff := cmp.Diff(want, b.Lines[0].Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	said := strings.Join(b.Loose, "\n")
	if len(b.Loose) != 2 || !strings.Contains(said, "wire_bytes_per_call is 50 to 52") || !strings.Contains(said, "syscalls_now_and_then") {
		t.Errorf("left out:\n%s\nwant the bytes and the system calls", said)
	}
	var file bytes.Buffer
	if err := b.Write(&file); err != nil {
		t.Fatal(err)
	}
	if read, err := Read(&file, "baseline"); err != nil || len(read) != 1 {
		t.Errorf("%d lines, error %v, want a file of one", len(read), err)
	}
}

func TestBaselineOfAFailedCase(t *testing.T) {
	lines := allocating(t, "r1", "1", 100)
	lines[0].Errors = map[string]int64{"internal": 1}
	if _, err := NewBaseline(lines, 0.01); err == nil || !strings.Contains(err.Error(), "verdict errors") {
		t.Errorf("error %v, want the verdict", err)
	}
}

func TestCompareDeterministic(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Line)
		want   string // of the error; empty if the two may be compared
	}{
		{"another machine", func(l *Line) {
			e := &l.Environment
			e.Host, e.CPU, e.CPUs, e.Memory, e.GoMaxProcs, e.Kernel, e.Virtual = "other", "Other CPU", 64, 1<<40, 64, "7.0", true
		}, ""},
		{"another version of a library", func(l *Line) { l.Case.Libraries = []string{"google.golang.org/grpc v1.99.0"} }, ""},
		{"another Go", func(l *Line) { l.Environment.Go = "go9" }, "environment.go"},
		{"another architecture", func(l *Line) { l.Environment.Arch = "arm64" }, "environment.arch"},
		{"the race detector", func(l *Line) { l.Environment.Build = "-race=true" }, "environment.build"},
	} {
		newer := allocating(t, "r2", "1", 103)
		test.change(&newer[0])
		c, err := CompareDeterministic(allocating(t, "r1", "1", 100), newer)
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
			}
			continue
		}
		if err != nil || len(c.Cases) != 1 || len(c.Cases[0].Metrics) != 1 || c.Cases[0].Metrics[0].New.Name != "allocations_per_call" {
			t.Errorf("%s: %+v, error %v, want the allocations compared and nothing else", test.name, c.Cases, err)
		}
	}
}

func TestGateOnSeveralMetrics(t *testing.T) {
	of := func(run string, server, client float64) []Line {
		lines := allocating(t, run, "1", server)
		lines[0].Metrics = append(lines[0].Metrics, Metric{Name: "allocations_per_message", Unit: "1", Better: Lower, Value: client})
		return lines
	}
	c, err := CompareAcross(of("r1", 100, 100), of("r2", 100, 103))
	if err != nil {
		t.Fatal(err)
	}
	for gate, want := range map[string]string{
		"allocations*>+2%":         "allocations_per_message",
		"allocations_per_c*>+2%":   "",
		"allocations*>+3%":         "",
		"allocations_per_call>+2%": "",
	} {
		gates, err := ParseGates(gate)
		if err != nil {
			t.Fatal(err)
		}
		failures, err := gates[0].Check(c)
		if err != nil {
			t.Errorf("%s: %v", gate, err)
		}
		if (want != "") != (len(failures) == 1) || want != "" && failures[0].Gate.Metric != want {
			t.Errorf("%s: %+v, want %q to fail", gate, failures, want)
		}
	}
	if _, err := (Gate{Metric: "wire_bytes*", Percent: 2}).Check(c); err == nil {
		t.Error("a gate that guards nothing passes")
	}
}
